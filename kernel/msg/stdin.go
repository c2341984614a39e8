package msg

// InputRequest is the content of an input_request.
type InputRequest struct {
	Prompt   string `json:"prompt"`
	Password bool   `json:"password"`
}

// InputReply is the content of an input_reply.
type InputReply struct {
	Value *string `json:"value"`
}

func (r *InputReply) check() error { return required("value", r.Value != nil) }

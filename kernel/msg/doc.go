// Package msg has one type for the content of each Jupyter message that the
// kernel receives or sends, and the JSON rules that all of them share. A
// request that does not fit its type is an error, never a panic.
//
// The field meanings are those of the Jupyter messaging specification 5.5.
package msg

// Version is the protocol version of the messages that the kernel sends.
const Version = "5.5"

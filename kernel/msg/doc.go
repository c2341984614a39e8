// Package msg has a type for the content of each Jupyter message that the kernel receives or
// sends, and the JSON rules that they share. Decoding a request that does not fit its type
// returns an error and never panics.
//
// The fields have the meanings of the Jupyter messaging specification 5.5.
package msg

// Version is the protocol version of the messages that the kernel sends.
const Version = "5.5"

// Package modeltest has what it takes to test code that calls language models,
// without one: a scripted [Model] for tests in virtual time, and a [Server] that
// speaks the wires of OpenAI, Anthropic and Gemini over loopback and breaks them
// in every way providers do, for tests of a whole stack over a real SDK.
package modeltest

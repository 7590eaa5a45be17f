// Package modeltest has what it takes to test code that calls language models,
// without one: a scripted [Model] for tests in virtual time, and a server that
// speaks a provider's wire over loopback and breaks it in every way providers
// do, for tests of a whole stack over a real SDK.
package modeltest

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
)

func TestRedact(t *testing.T) {
	base := modeltest.New("openai/gpt-5", modeltest.Answer("ok"))
	req := strata.Prompt("ask ada@example.org")
	_, err := Redact(base).Generate(t.Context(), req)
	require.NoError(t, err)
	for range Redact(base).Stream(t.Context(), req) {
	}
	for _, call := range base.Calls() {
		assert.Equal(t, strata.Text{Text: "ask [address]"}, call.Request.Messages[0].Content[0])
	}
	assert.Equal(t, strata.Prompt("ask ada@example.org"), req, "the caller's request stays as it is")
}

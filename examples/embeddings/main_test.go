package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatItPrints(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out))
	assert.Equal(t, `5 vectors of 3 numbers by openai/small after 4 requests
refused: true
5 vectors of 3 numbers by openai/large
`, out.String())
}

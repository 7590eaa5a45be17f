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
	assert.Equal(t, `attempt 1 failed: openai/shy: overload (503 overloaded): The engine is overloaded.
attempt 2 failed: openai/shy: unknown (after 200): no image was generated
openai/bold drew "a picture of 1024x1024"
`, out.String())
}

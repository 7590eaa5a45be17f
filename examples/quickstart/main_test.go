package main

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// silently runs f with the timeline sent nowhere.
func silently(t *testing.T, f func()) {
	t.Helper()
	stdout := os.Stdout
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer func() {
		os.Stdout = stdout
		null.Close()
	}()
	os.Stdout = null
	f()
}

func TestTheScenesAreAsShown(t *testing.T) {
	silently(t, func() { assert.NoError(t, rehearse(context.Background())) })
}

// A scene that does not go as it should is told.
func TestASceneThatGoesWrong(t *testing.T) {
	wrong := scenes[3]
	wrong.requests, wrong.served, wrong.answer, wrong.waits, wrong.committed = nil, "nobody", "", 1, false
	var err error
	silently(t, func() { err = wrong.play(context.Background()) })
	for _, what := range []string{"the error", "the requests", "the attempts", "who answered", "the answer", "the waits"} {
		assert.ErrorContains(t, err, what)
	}
}

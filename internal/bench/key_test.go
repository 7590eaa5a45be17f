package bench_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/bench"
)

func TestKey(t *testing.T) {
	for want, id := range map[string]strata.ModelID{
		"openai/a/eu/":     model,
		"openai/a//":       {Provider: "openai", Name: "a"},
		"p/a@b//":          {Provider: "p", Name: "a@b"},
		"p/a/b/":           {Provider: "p", Name: "a", Account: "b"},
		"p%2Fq/a//":        {Provider: "p/q", Name: "a"},
		"p/q%2Fa//":        {Provider: "p", Name: "q/a"},
		"p/a%252Fb/%0A/":   {Provider: "p", Name: "a%2Fb", Account: "\n"},
		"/p%2Fa//":         {Name: "p/a"},
		"p/%E3%83%A2%FF//": {Provider: "p", Name: "モ\xff"},
		"///":              {},
	} {
		assert.Equal(t, want, bench.Key(id))
		assert.Equal(t, id, bench.ModelOf(want))
	}
	for _, foreign := range []string{"rubbish", "a/b", "a/b/c", "a/b/c/d", "a/b/c/d/", "%zz/b/c/"} {
		assert.Equal(t, strata.ModelID{Name: foreign}, bench.ModelOf(foreign))
	}
}

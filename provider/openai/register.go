package openai

import (
	"fmt"
	"os"
	"strings"

	"github.com/strata-go/strata"
)

func init() { strata.Register(DefaultProvider, open) }

// open makes the models that [strata.Open] names. Two accounts must not share a
// key: layers take the failures of one's key to say nothing about the other.
func open(id strata.ModelID) (strata.Model, error) {
	if id.Account == "" {
		return New(id.Name), nil
	}
	variable := "OPENAI_API_KEY_" + strings.Map(inVariable, strings.ToUpper(id.Account))
	key := os.Getenv(variable)
	if key == "" {
		return nil, fmt.Errorf("openai: account %q has no key: %s is not set", id.Account, variable)
	}
	return New(id.Name, Account(id.Account), APIKey(key)), nil
}

// inVariable keeps what the name of an environment variable may hold.
func inVariable(r rune) rune {
	if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
		return r
	}
	return '_'
}

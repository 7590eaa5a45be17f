package anthropic

import (
	"fmt"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/apikey"
)

func init() { strata.Register(DefaultProvider, open) }

// open makes the models that [strata.Open] names.
func open(id strata.ModelID) (strata.Model, error) {
	if id.Account == "" {
		return New(id.Name), nil
	}
	key, err := apikey.OfAccount(id.Account, "ANTHROPIC_API_KEY")
	if err != nil {
		return nil, fmt.Errorf("anthropic: %w", err)
	}
	return New(id.Name, Account(id.Account), APIKey(key)), nil
}

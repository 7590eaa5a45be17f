// Package apikey finds the keys of accounts in the environment.
package apikey

import (
	"fmt"
	"os"
	"strings"
)

// OfAccount returns the key of one of several accounts with a provider: that in
// the variable of its own, "OPENAI_API_KEY_EU_WEST" for the account "eu-west" and
// the variable "OPENAI_API_KEY". Two accounts must not share a key: layers take
// the failures of one's key to say nothing about the other. So one that is not
// set is an error.
func OfAccount(account, variable string) (string, error) {
	variable += "_" + strings.Map(inVariable, strings.ToUpper(account))
	key := os.Getenv(variable)
	if key == "" {
		return "", fmt.Errorf("account %q has no key: %s is not set", account, variable)
	}
	return key, nil
}

// inVariable keeps what the name of an environment variable may hold.
func inVariable(r rune) rune {
	if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
		return r
	}
	return '_'
}

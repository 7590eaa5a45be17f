package middleware_test

import "testing"

var providerkit = rows{}

func TestProviderkit(t *testing.T) { providerkit.run(t) }

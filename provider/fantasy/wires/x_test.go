package wires_test

import (
	_ "charm.land/fantasy/object"
	_ "charm.land/fantasy/providers/anthropic"
	_ "charm.land/fantasy/providers/google"
	_ "charm.land/fantasy/providers/openai"
	_ "charm.land/fantasy/providers/openaicompat"
	_ "charm.land/fantasy/providers/openrouter"
	_ "charm.land/fantasy/providers/vercel"
	_ "github.com/strata-go/strata/middleware"
	_ "github.com/strata-go/strata/modeltest"
	_ "github.com/strata-go/strata/provider/fantasy"
	_ "github.com/stretchr/testify/assert"
)

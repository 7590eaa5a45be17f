module github.com/strata-go/strata/examples

go 1.26

require (
	github.com/strata-go/strata v0.0.0
	github.com/strata-go/strata/provider/openai v0.0.0
)

replace (
	github.com/strata-go/strata => ..
	github.com/strata-go/strata/provider/openai => ../provider/openai
)

module github.com/strata-go/strata/conformance

go 1.26.0

replace (
	github.com/strata-go/strata => ..
	github.com/strata-go/strata/schema => ../schema
)

require (
	github.com/cenkalti/backoff/v4 v4.3.0
	github.com/strata-go/strata v0.0.0-00010101000000-000000000000
	github.com/strata-go/strata/schema v0.0.0-00010101000000-000000000000
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/text v0.14.0 // indirect
)

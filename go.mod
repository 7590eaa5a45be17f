module github.com/strata-go/strata

go 1.26

require github.com/cenkalti/backoff/v4 v4.3.0

require (
	github.com/stretchr/testify v1.12.1
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

module github.com/strata-go/strata/state/redis

go 1.26.0

replace (
	github.com/strata-go/strata => ../..
	github.com/strata-go/strata/middleware/breaker => ../../middleware/breaker
)

require (
	github.com/redis/go-redis/v9 v9.23.0
	github.com/strata-go/strata v0.0.0-00010101000000-000000000000
	github.com/strata-go/strata/middleware/breaker v0.0.0-00010101000000-000000000000
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/cenkalti/backoff/v4 v4.3.0 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/sony/gobreaker/v2 v2.4.0 // indirect
	go.uber.org/atomic v1.12.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.48.0 // indirect
)

package breaker_test

import (
	_ "github.com/stretchr/testify/assert"
	_ "github.com/stretchr/testify/require"
)

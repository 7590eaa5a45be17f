package strata_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
)

func TestEdgeRegistryByManyGoroutines(t *testing.T) {
	t.Cleanup(strata.SaveRegistry())
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			name := fmt.Sprintf("edge-%d", i/2)
			var once any
			func() {
				defer func() { once = recover() }()
				strata.Register(name, func(id strata.ModelID) (strata.Model, error) {
					strata.Providers()
					if id.Name == "nobody" {
						return nil, nil
					}
					return modeltest.New(id.Provider+"/"+id.Name, modeltest.Answer("x")), nil
				})
			}()
			m, err := strata.Open(name + "/a/b@team")
			if assert.NoError(t, err) {
				assert.Equal(t, "a/b", m.ID().Name)
			}
			_, err = strata.Open(name + "/nobody")
			assert.Error(t, err)
			_ = once
		})
	}
	all.Wait()
	_, err := strata.Open("edge-none/x")
	assert.ErrorContains(t, err, "edge-0, edge-1, ")
}

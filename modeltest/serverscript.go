package modeltest

import (
	"fmt"
	"net/http"
)

// A script is a list of replies and how many requests have played it.
type script struct {
	replies []Reply
	played  int
}

// next returns the reply for the next request; the last repeats.
func (s *script) next() Reply {
	r := s.replies[min(s.played, len(s.replies)-1)]
	s.played++
	return r
}

// scripts are those of a server.
type scripts struct {
	models map[string]*script
	rest   script // for models with no script of their own; may be empty
}

func (s *scripts) next(model string) Reply {
	if own, ok := s.models[model]; ok {
		return own.next()
	}
	if len(s.rest.replies) == 0 {
		return Status(http.StatusNotFound).
			Error("model_not_found", fmt.Sprintf("The model %q has no replies.", model))
	}
	return s.rest.next()
}

package strata

import (
	"context"
	"errors"
	"iter"
)

// Funcs is a layer made of functions, for a layer that needs only one or two of
// them; a nil function changes nothing. It mirrors the middleware object of the
// AI SDK's wrapLanguageModel.
//
//	var Brief = strata.Funcs{
//		Request: func(ctx context.Context, req *strata.Request) (*strata.Request, error) {
//			req = req.Clone()
//			req.MaxOutputTokens = 200
//			return req, nil
//		},
//	}.Layer()
type Funcs struct {
	// ID gives the wrapped model another ID. Where the wrapped model itself
	// answered or failed, the answer or the failure is that of the new ID; what
	// comes from another model below (a fallback, say) keeps its name.
	ID func(ModelID) ModelID

	// Request replaces the request of each call, whole or streamed, before
	// Generate and Stream see it. It must not change the one it is given: see
	// [Request.Clone]. Its error ends the call.
	Request func(ctx context.Context, req *Request) (*Request, error)

	// Generate stands in for the next model's Generate, which it may call.
	// Streams do not pass it.
	Generate func(ctx context.Context, req *Request, next Model) (*Response, error)

	// Stream stands in for the next model's Stream, which it may range over.
	// What it returns keeps the contract of [Model]. Whole calls do not pass it.
	Stream func(ctx context.Context, req *Request, next Model) iter.Seq2[Part, error]
}

// Layer returns f as a Layer.
func (f Funcs) Layer() Layer {
	return func(next Model) Model {
		if next == nil {
			panic("strata.Funcs: the model is nil")
		}
		id := next.ID()
		if f.ID != nil {
			id = f.ID(id)
		}
		return &funcsModel{f, next, id}
	}
}

type funcsModel struct {
	funcs Funcs
	next  Model
	id    ModelID
}

func (m *funcsModel) ID() ModelID   { return m.id }
func (m *funcsModel) Unwrap() Model { return m.next }

func (m *funcsModel) Generate(ctx context.Context, req *Request) (*Response, error) {
	req, err := m.request(ctx, req)
	if err != nil {
		return nil, err
	}
	generate := m.funcs.Generate
	if generate == nil {
		generate = func(ctx context.Context, req *Request, next Model) (*Response, error) {
			return next.Generate(ctx, req)
		}
	}
	resp, err := generate(ctx, req, m.next)
	switch {
	case err != nil:
		return nil, m.rename(err)
	case resp == nil:
		return nil, errNoResponse
	case m.funcs.ID == nil || resp.Model != m.next.ID():
		return resp, nil
	}
	renamed := *resp
	renamed.Model = m.id
	return &renamed, nil
}

func (m *funcsModel) Stream(ctx context.Context, req *Request) iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		req, err := m.request(ctx, req)
		if err != nil {
			yield(nil, err)
			return
		}
		parts := iter.Seq2[Part, error](nil)
		if m.funcs.Stream != nil {
			parts = m.funcs.Stream(ctx, req, m.next)
		} else {
			parts = m.next.Stream(ctx, req)
		}
		if parts == nil {
			yield(nil, errNoStream)
			return
		}
		if m.funcs.ID == nil {
			parts(yield)
			return
		}
		base := m.next.ID()
		parts(func(p Part, err error) bool {
			if f, ok := p.(Finish); ok && f.Model == base {
				f.Model = m.id
				p = f
			}
			return yield(p, m.rename(err))
		})
	}
}

func (m *funcsModel) request(ctx context.Context, req *Request) (*Request, error) {
	if m.funcs.Request == nil {
		return req, nil
	}
	req, err := m.funcs.Request(ctx, req)
	if err == nil && req == nil {
		err = errNoRequest
	}
	return req, err
}

// rename makes the failure of the wrapped model that of its new ID.
func (m *funcsModel) rename(err error) error {
	if err == nil || m.funcs.ID == nil {
		return err
	}
	return &renamedError{err, m.next.ID(), m.id}
}

// renamedError is a failure below a layer that gave a model another ID. Package
// failure asks it whose failure that is.
type renamedError struct {
	error
	from, to ModelID
}

func (e *renamedError) Unwrap() error { return e.error }

func (e *renamedError) Renamed(id ModelID) ModelID {
	if id == e.from {
		return e.to
	}
	return id
}

var (
	errNoResponse = errors.New("strata: Generate returned neither an answer nor an error")
	errNoRequest  = errors.New("strata: Funcs.Request returned neither a request nor an error")
	errNoStream   = errors.New("strata: Stream returned a nil iterator")
)

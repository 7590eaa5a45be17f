// Package lift takes the layers of language models to other families of models.
// A call of such a family passes through them as a Request that carries it, so
// that no layer is written twice.
package lift

import (
	"context"
	"iter"
	"reflect"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/failure"
)

// A Family says what a family of models M is made of, which answer a *Req by a
// *Resp.
type Family[M, Req, Resp any] struct {
	Name      string // of its package, for errors
	Operation string // as telemetry names its calls

	ID   func(M) strata.ModelID
	Call func(m M, ctx context.Context, req *Req) (*Resp, error)

	// Lacks says what an answer to a request must have and has not; nil: nothing.
	Lacks func(*Req, *Resp) error

	// With lays an override over a request, into a copy.
	With func(req, override *Req) *Req

	// Account is what layers see of an answer, and may change.
	Account func(*Resp) Account
}

// An Account is who gave an answer and what it used, in the answer itself.
type Account struct {
	Model        *strata.ModelID
	Usage        *strata.Usage
	Metadata     *strata.ResponseMetadata
	Warnings     *[]strata.Warning
	ProviderData *strata.ProviderData
}

// Ask makes one call of m, and holds it to the contract of the family.
func (f *Family[M, Req, Resp]) Ask(ctx context.Context, m M, req *Req) (*Resp, error) {
	if req == nil {
		return nil, f.fail(f.ID(m), failure.Invalid, "the request is nil", nil)
	}
	resp, err := f.Call(m, ctx, req)
	if err != nil {
		return nil, err
	}
	if resp == nil {
		return nil, f.fail(f.ID(m), failure.Unknown, "the model returned neither an answer nor an error", nil)
	}
	if err := f.judge(f.ID(m), req, resp); err != nil {
		return nil, err
	}
	return resp, nil
}

// judge holds an answer to what the request must get.
func (f *Family[M, Req, Resp]) judge(id strata.ModelID, req *Req, resp *Resp) error {
	if lacks := f.Lacks(req, resp); lacks != nil {
		return f.fail(id, failure.Unknown, lacks.Error(), lacks)
	}
	return nil
}

func (f *Family[M, Req, Resp]) fail(id strata.ModelID, kind failure.Kind, message string, cause error) error {
	return &failure.Error{Model: id, Kind: kind, Message: f.Name + ": " + message, Err: cause}
}

// Carried is what a Request that carries a call has in Raw. Package strata and
// layers that need to know ask for its methods.
type Carried[M, Req, Resp any] struct {
	family *Family[M, Req, Resp]
	req    *Req
}

// Operation names the call as telemetry does.
func (c *Carried[M, Req, Resp]) Operation() string { return c.family.Operation }

// Bare returns the *Req, which hooks and conditions see in place of the Request.
func (c *Carried[M, Req, Resp]) Bare() any { return c.req }

// Override returns the call with an override of its request, which is a *Req or
// another call's; what is neither came from another family and changes nothing.
func (c *Carried[M, Req, Resp]) Override(by any) any {
	override, ok := by.(*Req)
	if !ok || override == nil {
		return c
	}
	return &Carried[M, Req, Resp]{c.family, c.family.With(c.req, override)}
}

// With puts the fields of override that are not zero in place of req's, and returns
// req. A field that is set to something empty is not zero.
func With[Req any](req, override *Req) *Req {
	fields, by := reflect.ValueOf(req).Elem(), reflect.ValueOf(override).Elem()
	for i := range fields.NumField() {
		if f := by.Field(i); !f.IsZero() {
			fields.Field(i).Set(f)
		}
	}
	return req
}

// Up returns m as a language model, for layers to wrap.
func (f *Family[M, Req, Resp]) Up(m M) strata.Model {
	if d, ok := any(m).(interface{ Lifted() strata.Model }); ok {
		return d.Lifted() // by layers already
	}
	return &up[M, Req, Resp]{f, m}
}

type up[M, Req, Resp any] struct {
	family *Family[M, Req, Resp]
	model  M
}

func (u *up[M, Req, Resp]) ID() strata.ModelID { return u.family.ID(u.model) }

func (u *up[M, Req, Resp]) Generate(ctx context.Context, req *strata.Request) (*strata.Response, error) {
	c, ok := req.Raw.(*Carried[M, Req, Resp])
	if !ok {
		return nil, u.family.fail(u.ID(), failure.Unknown, "a layer took the call out of the request's Raw", nil)
	}
	resp, err := u.family.Ask(ctx, u.model, c.req)
	if err != nil {
		return nil, err
	}
	a := u.family.Account(resp)
	return &strata.Response{
		Model: *a.Model, FinishReason: strata.FinishStop, Usage: *a.Usage,
		Metadata: *a.Metadata, Warnings: *a.Warnings, ProviderData: *a.ProviderData, Raw: resp,
	}, nil
}

func (u *up[M, Req, Resp]) Stream(context.Context, *strata.Request) iter.Seq2[strata.Part, error] {
	return func(yield func(strata.Part, error) bool) {
		yield(nil, u.family.fail(u.ID(), failure.Unknown, "it does not stream", nil))
	}
}

// A Down is a language model as a model of the family, for that family's own type
// to embed.
type Down[M, Req, Resp any] struct {
	family *Family[M, Req, Resp]
	next   M // that was wrapped
	model  strata.Model
}

// Down returns what layer makes of next.
func (f *Family[M, Req, Resp]) Down(layer strata.Layer, next M) Down[M, Req, Resp] {
	return Down[M, Req, Resp]{f, next, layer(f.Up(next))}
}

// ID returns the ID of the model.
func (d Down[M, Req, Resp]) ID() strata.ModelID { return d.model.ID() }

// Unwrap returns the model that was wrapped.
func (d Down[M, Req, Resp]) Unwrap() M { return d.next }

// Lifted returns the model as the layers know it.
func (d Down[M, Req, Resp]) Lifted() strata.Model { return d.model }

// Ask makes one call through the layers.
func (d Down[M, Req, Resp]) Ask(ctx context.Context, req *Req) (*Resp, error) {
	if req == nil {
		return nil, d.family.fail(d.ID(), failure.Invalid, "the request is nil", nil)
	}
	account, err := d.model.Generate(ctx, &strata.Request{Raw: &Carried[M, Req, Resp]{d.family, req}})
	if err != nil {
		return nil, err
	}
	var resp *Resp
	if account != nil {
		resp, _ = account.Raw.(*Resp)
	}
	if resp == nil {
		return nil, d.family.fail(d.ID(), failure.Unknown, "a layer returned an answer of its own, which is none of this family", nil)
	}
	if err := d.family.judge(d.ID(), req, resp); err != nil { // an override may have asked for something else
		return nil, err
	}
	answer := *resp // with what the layers made of it, such as the name of who answered
	a := d.family.Account(&answer)
	*a.Model, *a.Usage, *a.Metadata = account.Model, account.Usage, account.Metadata
	*a.Warnings, *a.ProviderData = account.Warnings, account.ProviderData
	return &answer, nil
}

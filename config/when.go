package config

import (
	"errors"
	"fmt"

	"github.com/strata-go/strata/internal/strictjson"
	"github.com/strata-go/strata/when"
)

// condition is an object whose fields must all hold.
type condition struct {
	Status        list[status]       `json:"status"`
	Message       list[message]      `json:"message"`
	HTTPStatus    list[httpStatus]   `json:"http_status"`
	Retryable     *yes               `json:"retryable"`
	Timeout       *yes               `json:"timeout"`
	Aborted       *yes               `json:"aborted"`
	Kind          list[kind]         `json:"kind"`
	Finish        list[finishReason] `json:"finish"`
	Refusal       *yes               `json:"refusal"`
	SchemaInvalid *yes               `json:"schema_invalid"`
	All           list[condition]    `json:"all"`
	Any           list[condition]    `json:"any"`
	Not           *condition         `json:"not"`
}

// errNothingInCommon is about conditions of which some ask about errors alone and
// others about answers alone, so that no attempt could meet them all.
var errNothingInCommon = errors.New("nothing in common: some ask about errors alone, others about answers alone")

func (c condition) build(b *builder) (when.Condition, error) {
	var conditions []when.Condition
	for _, field := range []struct {
		name  string
		given bool
		build func(*builder) (when.Condition, error)
	}{
		{"status", c.Status.given(), c.Status.any},
		{"message", c.Message.given(), c.Message.any},
		{"http_status", c.HTTPStatus.given(), c.HTTPStatus.any},
		{"retryable", c.Retryable != nil, plain(when.Retryable)},
		{"timeout", c.Timeout != nil, plain(when.Timeout)},
		{"aborted", c.Aborted != nil, plain(when.Aborted)},
		{"kind", c.Kind.given(), c.Kind.any},
		{"finish", c.Finish.given(), c.Finish.any},
		{"refusal", c.Refusal != nil, plain(when.Refused)},
		{"schema_invalid", c.SchemaInvalid != nil, (*builder).schemaInvalid},
		{"all", c.All.given(), c.All.all},
		{"any", c.Any.given(), c.Any.any},
		{"not", c.Not != nil, c.not},
	} {
		if !field.given {
			continue
		}
		condition, err := field.build(b)
		if err != nil {
			return when.Condition{}, strictjson.At("."+field.name, err)
		}
		conditions = append(conditions, condition)
	}
	if len(conditions) == 0 {
		return when.Condition{}, errors.New(`there is no condition; a rule without "when" is for every error`)
	}
	all, ok := when.Common(conditions...)
	if !ok {
		return all, fmt.Errorf("its fields have %w", errNothingInCommon)
	}
	return all, nil
}

func (c condition) not(b *builder) (when.Condition, error) {
	not, err := c.Not.build(b)
	return not.Not(), err
}

func plain(of func() when.Condition) func(*builder) (when.Condition, error) {
	return func(*builder) (when.Condition, error) { return of(), nil }
}

func (b *builder) schemaInvalid() (when.Condition, error) {
	if b.validate == nil {
		return when.Condition{}, errors.New("there is no validator: pass config.SchemaValidator(schema.Validate) to config.Build")
	}
	return when.SchemaInvalid(b.validate), nil
}

// list is a list of conditions that is not empty, or its only element.
type list[C interface {
	build(*builder) (when.Condition, error)
}] struct {
	elements []C
	alone    bool // the element stands for the list
}

func (l *list[C]) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		l.elements, l.alone = make([]C, 1), true
		return strictjson.Decode(data, &l.elements[0])
	}
	if err := strictjson.Decode(data, &l.elements); err != nil {
		return err
	}
	if len(l.elements) == 0 {
		return errors.New("there is none")
	}
	return nil
}

func (l list[C]) given() bool { return l.elements != nil }

// any holds where one of the elements does.
func (l list[C]) any(b *builder) (when.Condition, error) {
	conditions, err := l.conditions(b)
	if err != nil {
		return when.Condition{}, err
	}
	return when.Any(conditions...), nil
}

// all holds where all elements do.
func (l list[C]) all(b *builder) (when.Condition, error) {
	conditions, err := l.conditions(b)
	if err != nil {
		return when.Condition{}, err
	}
	all, ok := when.Common(conditions...)
	if !ok {
		return all, fmt.Errorf("its conditions have %w", errNothingInCommon)
	}
	return all, nil
}

func (l list[C]) conditions(b *builder) ([]when.Condition, error) {
	conditions := make([]when.Condition, len(l.elements))
	for i, element := range l.elements {
		var err error
		if conditions[i], err = element.build(b); err != nil {
			if !l.alone {
				err = strictjson.At(index("", i), err)
			}
			return nil, err
		}
	}
	return conditions, nil
}

package schema_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/middleware"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/schema"
	"github.com/strata-go/strata/when"
)

// A cheap model is asked first; where its answer is not of the schema, a strong one is.
func ExampleValidate() {
	cheap := modeltest.New("openai/gpt-5-nano", modeltest.Answer("Her name is Ada."))
	strong := modeltest.New("openai/gpt-5", modeltest.Answer(`{"name": "Ada"}`))
	model := strata.Wrap(cheap, middleware.Rules(
		when.SchemaInvalid(schema.Validate).Switch(strong),
	))

	req := strata.Prompt("Who wrote the first program?")
	req.ResponseFormat = &strata.ResponseFormat{
		Type:   strata.ResponseJSON,
		Schema: json.RawMessage(`{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}`),
	}
	resp, err := model.Generate(context.Background(), req)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Model, resp.Text())
	// Output: openai/gpt-5 {"name": "Ada"}
}

// A broken schema rejects no answer. A validator of one's own around Validate sees it.
func ExampleValidate_brokenSchema() {
	validate := func(s json.RawMessage, answer []byte) error {
		err := schema.Validate(s, answer)
		if errors.Is(err, when.ErrSchema) {
			fmt.Println("to the log:", err)
		}
		return err
	}
	cheap := modeltest.New("openai/gpt-5-nano", modeltest.Answer(`{"name": "Ada"}`))
	strong := modeltest.New("openai/gpt-5", modeltest.Answer(`{"name": "Ada"}`))
	model := strata.Wrap(cheap, middleware.Rules(when.SchemaInvalid(validate).Switch(strong)))

	req := strata.Prompt("Who wrote the first program?")
	req.ResponseFormat = &strata.ResponseFormat{Type: strata.ResponseJSON, Schema: json.RawMessage(`{"type": "obj"}`)}
	resp, err := model.Generate(context.Background(), req)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("from", resp.Model)
	// Output:
	// to the log: schema: the schema is broken: it is no JSON Schema: "/properties/type/anyOf"
	// from openai/gpt-5-nano
}

func ExampleCheck() {
	fmt.Println(schema.Check(json.RawMessage(`{"type": "object"}`)))
	fmt.Println(schema.Check(json.RawMessage(`{"$ref": "#/$defs/person"}`)))
	// Output:
	// <nil>
	// schema: the schema is broken: json-pointer in "strata:///schema#/$defs/person" not found
}

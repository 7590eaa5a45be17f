package modeltest

import (
	"encoding/base64"
	"encoding/json"
	"hash/fnv"

	"github.com/strata-go/strata"
)

// encode returns v as JSON. The wires give it nothing that has no JSON.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("modeltest: " + err.Error())
	}
	return string(b)
}

// orNull returns text, or nil where there is none.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// jsonOr returns the input of a tool for an API that takes it as JSON, not as
// text: no input is {}, and what is no JSON is sent as text.
func jsonOr(input string) any {
	switch {
	case input == "":
		return struct{}{}
	case json.Valid([]byte(input)):
		return json.RawMessage(input)
	}
	return input
}

// named returns an event whose type is both its name and a field of its data,
// as the Anthropic and the OpenAI Responses API have it.
func named(kind string, fields map[string]any) frame {
	data := `{"type":"` + kind + `"`
	if len(fields) > 0 {
		data += "," + encode(fields)[1:]
	} else {
		data += "}"
	}
	return frame{event: kind, data: data}
}

// typed returns data as such an event.
func typed(data string) frame {
	var in struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal([]byte(data), &in) // data may be anything
	return frame{event: in.Type, data: data}
}

// sign returns a signature of reasoning: base64, as providers' signatures are,
// and the same for the same reasoning.
func sign(reasoning string) string {
	h := fnv.New128a()
	h.Write([]byte(reasoning))
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// atStart returns the usage when an answer begins: all of the input, and one
// token of the output.
func atStart(u strata.Usage) strata.Usage {
	return strata.Usage{
		InputTokens: u.InputTokens, OutputTokens: min(u.OutputTokens, 1),
		CachedInputTokens: u.CachedInputTokens, CacheWriteTokens: u.CacheWriteTokens,
	}
}

// total returns the total that is sent: where the reply has none, the sum.
func total(u strata.Usage) int64 {
	if u.TotalTokens == 0 {
		return u.InputTokens + u.OutputTokens
	}
	return u.TotalTokens
}

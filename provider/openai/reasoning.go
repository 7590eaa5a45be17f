package openai

import (
	"reflect"
	"strings"

	"github.com/strata-go/strata"
)

// The keys of a Reasoning's provider data. They are what the next request needs
// to send the reasoning back.
const (
	fieldKey   = "reasoning_field"   // the field of the message that the text came in
	detailsKey = "reasoning_details" // OpenRouter's blocks, with signatures: the field's name on the wire too
)

// reasoning is a block of reasoning as the wire has it: the field its text came
// in, and OpenRouter's details.
type reasoning struct {
	field   string
	text    strings.Builder
	details []any // of map[string]any
}

// providerData is what a Reasoning of this block carries; the empty block
// carries nothing.
func (r *reasoning) providerData(provider string) strata.ProviderData {
	data := map[string]any{}
	if r.field != "" {
		data[fieldKey] = r.field
	}
	if len(r.details) > 0 {
		data[detailsKey] = r.details
	}
	if len(data) == 0 {
		return nil
	}
	return strata.ProviderData{provider: data}
}

// join adds a Reasoning of an earlier answer, if this provider gave it.
func (r *reasoning) join(c strata.Reasoning, provider string) {
	data := c.ProviderData[provider]
	if details, ok := data[detailsKey].([]any); ok {
		r.details = append(r.details, details...)
	}
	if field, ok := data[fieldKey].(string); ok && field != "" {
		r.field = field
		r.text.WriteString(c.Text)
	}
}

// fields are the fields of the assistant message that send the reasoning back:
// the details where there are any, for they hold the text too.
func (r *reasoning) fields() map[string]any {
	switch {
	case len(r.details) > 0:
		return map[string]any{detailsKey: r.details}
	case r.field != "":
		return map[string]any{r.field: r.text.String()}
	}
	return nil
}

// merge adds a detail that may be a piece of the last one: streams cut a block's
// text, summary and data into pieces of the same type, index and ID.
func (r *reasoning) merge(piece map[string]any) {
	if len(r.details) > 0 {
		last := r.details[len(r.details)-1].(map[string]any)
		if samePiece(last, piece, "type") && samePiece(last, piece, "index") && samePiece(last, piece, "id") {
			for k, v := range piece {
				old, _ := last[k].(string)
				switch add, isString := v.(string); {
				case isString && (k == "text" || k == "summary" || k == "data"):
					last[k] = old + add
				case v != nil:
					last[k] = v
				}
			}
			return
		}
	}
	r.details = append(r.details, piece)
}

// samePiece reports whether two details may agree on key: one may leave it out.
func samePiece(a, b map[string]any, key string) bool {
	return a[key] == nil || b[key] == nil || reflect.DeepEqual(a[key], b[key])
}

// detailText is the readable text of a detail; an encrypted one has none.
func detailText(d map[string]any) string {
	if s, ok := d["text"].(string); ok {
		return s
	}
	s, _ := d["summary"].(string)
	return s
}

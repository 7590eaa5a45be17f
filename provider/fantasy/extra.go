package fantasy

import (
	"encoding/json"
	"fmt"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata"
)

// extraJSON is the JSON of an [Extra].
type extraJSON struct {
	ProviderData    strata.ProviderData      `json:"provider_data,omitempty"`
	Content         *contentJSON             `json:"content,omitempty"`
	Model           *strata.ModelID          `json:"model,omitempty"`
	RawFinishReason string                   `json:"raw_finish_reason,omitempty"`
	Metadata        *strata.ResponseMetadata `json:"metadata,omitempty"`
}

// MarshalJSON returns x as fantasy's registry wants it, with its type.
func (x Extra) MarshalJSON() ([]byte, error) {
	j := extraJSON{ProviderData: x.ProviderData, RawFinishReason: x.RawFinishReason}
	if x.Content != nil {
		c, err := encode(x.Content)
		if err != nil {
			return nil, err
		}
		j.Content = &c
	}
	if !x.Model.IsZero() {
		j.Model = &x.Model
	}
	if !none(x.Metadata) {
		j.Metadata = &x.Metadata
	}
	return sdk.MarshalProviderType(TypeExtra, j)
}

// UnmarshalJSON reads what MarshalJSON wrote, without its type. Numbers in
// provider data come back as float64.
func (x *Extra) UnmarshalJSON(data []byte) error {
	var j extraJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*x = Extra{ProviderData: j.ProviderData, RawFinishReason: j.RawFinishReason}
	if j.Model != nil {
		x.Model = *j.Model
	}
	if j.Metadata != nil {
		x.Metadata = *j.Metadata
	}
	var err error
	if j.Content != nil {
		x.Content, err = j.Content.decode()
	}
	return err
}

// contentJSON is the JSON of a content. What a tool result holds stands beside it.
type contentJSON struct {
	Type    string          `json:"type"`
	Data    json.RawMessage `json:"data"`
	Content []contentJSON   `json:"content,omitempty"`
}

func encode(c strata.Content) (contentJSON, error) {
	var j contentJSON
	if r, ok := c.(strata.ToolResult); ok {
		for _, held := range r.Content {
			h, err := encode(held)
			if err != nil {
				return j, err
			}
			j.Content = append(j.Content, h)
		}
		r.Content = nil
		c = r
	}
	var err error
	j.Type = fmt.Sprintf("%T", c)
	j.Data, err = json.Marshal(c)
	return j, err
}

func (j contentJSON) decode() (strata.Content, error) {
	read, ok := contents[j.Type]
	if !ok {
		return nil, fmt.Errorf("fantasy: unknown content %q", j.Type)
	}
	c, err := read(j.Data)
	if r, ok := c.(strata.ToolResult); ok && err == nil {
		for _, h := range j.Content {
			held, err := h.decode()
			if err != nil {
				return nil, err
			}
			r.Content = append(r.Content, held)
		}
		c = r
	}
	return c, err
}

var contents = map[string]func([]byte) (strata.Content, error){
	"strata.Text":       decode[strata.Text],
	"strata.Reasoning":  decode[strata.Reasoning],
	"strata.Image":      decode[strata.Image],
	"strata.File":       decode[strata.File],
	"strata.ToolCall":   decode[strata.ToolCall],
	"strata.ToolInput":  decode[strata.ToolInput],
	"strata.ToolResult": decode[strata.ToolResult],
	"strata.Source":     decode[strata.Source],
	"strata.Raw":        decode[strata.Raw],
}

func decode[T strata.Content](data []byte) (strata.Content, error) {
	var c T
	err := json.Unmarshal(data, &c)
	return c, err
}

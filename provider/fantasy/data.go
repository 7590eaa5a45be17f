package fantasy

import (
	"encoding/json"
	"maps"

	sdk "charm.land/fantasy"

	"github.com/strata-go/strata"
)

// Key is the name of a provider in [strata.ProviderData] under which stand fantasy's
// values for providers, an sdk.ProviderOptionsData or its JSON, by fantasy's names of
// them, and what is of this package alone. No other adapter reads it.
const Key = "fantasy"

// ExtraKey is the name under which an [Extra] stands in fantasy's provider
// metadata and options.
const ExtraKey = "strata"

// TypeExtra is the name under which fantasy's registry has [Extra], so that
// stored conversations can be read again.
const TypeExtra = "strata.extra"

// PartExtra is the type of a part of a stream that fantasy has no form for. The
// part is in its [Extra]. Fantasy's agent passes over it.
const PartExtra sdk.StreamPartType = "strata"

func init() {
	sdk.RegisterProviderType(TypeExtra, func(data []byte) (sdk.ProviderOptionsData, error) {
		x := &Extra{}
		if err := x.UnmarshalJSON(data); err != nil {
			return nil, err
		}
		return x, nil
	})
}

// Extra is what a strata Model gave and fantasy has no place for. It is found
// under [ExtraKey] in the metadata of contents, parts and answers of a
// [LanguageModel]; in a message that is sent back it restores what it held, as
// fantasy's own metadata does. Its JSON leaves out Part.
type Extra struct {
	// ProviderData are fields of providers, which fantasy has no type for.
	ProviderData strata.ProviderData

	// Content is a content that fantasy has no form for, beside an empty
	// reasoning: a file by its address, a Raw, a tool input that was cut; or more of
	// one than it has a form for.
	Content strata.Content

	// Part is a part of a stream that fantasy has no form for.
	Part strata.Part

	// Of an answer: who answered, where it was not the model that was asked, the
	// provider's own word for the finish, and its metadata.
	Model           strata.ModelID
	RawFinishReason string
	Metadata        strata.ResponseMetadata
}

// Options marks x as data of a provider, for fantasy.
func (*Extra) Options() {}

// extraOf returns the Extra in fantasy's metadata or options, which may be empty.
func extraOf(data map[string]sdk.ProviderOptionsData) Extra {
	if x, ok := data[ExtraKey].(*Extra); ok && x != nil {
		return *x
	}
	return Extra{}
}

// ExtraOf returns the [Extra] in fantasy's provider metadata; an empty one where
// there is none.
func ExtraOf(metadata sdk.ProviderMetadata) Extra { return extraOf(metadata) }

// read returns fantasy's metadata or options as provider data.
func read(data map[string]sdk.ProviderOptionsData) strata.ProviderData {
	var d strata.ProviderData
	for provider, value := range data {
		if _, extra := value.(*Extra); value == nil || extra {
			continue
		}
		d = with(d, provider, value)
	}
	for provider, fields := range extraOf(data).ProviderData {
		if d == nil {
			d = strata.ProviderData{}
		}
		if d[provider] == nil {
			d[provider] = map[string]any{}
		}
		maps.Copy(d[provider], fields)
	}
	return d
}

// write returns provider data as fantasy's metadata or options, with what is
// extra.
func write(d strata.ProviderData, x Extra) map[string]sdk.ProviderOptionsData {
	data := map[string]sdk.ProviderOptionsData{}
	for provider, value := range d[Key] {
		if value, ok := typed(provider, value); ok {
			data[provider] = value
		}
	}
	for provider, fields := range d {
		if provider == Key {
			continue
		}
		if plain := maps.Clone(fields); len(plain) > 0 {
			if x.ProviderData == nil {
				x.ProviderData = strata.ProviderData{}
			}
			x.ProviderData[provider] = plain
		}
	}
	if !x.empty() {
		data[ExtraKey] = &x
	}
	if len(data) == 0 {
		return nil
	}
	return data
}

func (x *Extra) empty() bool {
	return x.ProviderData == nil && x.Content == nil && x.Part == nil && x.Model.IsZero() && x.RawFinishReason == "" && none(x.Metadata)
}

// none reports whether m says nothing.
func none(m strata.ResponseMetadata) bool {
	return m.ID == "" && m.Model == "" && m.Timestamp.IsZero() && m.Headers == nil && m.Usage == nil
}

// typed returns a value of fantasy's for the provider, made of its JSON if need
// be. It returns false for what is none, and for a type that is not linked.
func typed(provider string, value any) (sdk.ProviderOptionsData, bool) {
	switch v := value.(type) {
	case nil:
		return nil, false
	case sdk.ProviderOptionsData:
		return v, true
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, false
	}
	data, err := sdk.UnmarshalProviderOptions(map[string]json.RawMessage{provider: raw})
	if err != nil || data[provider] == nil {
		return nil, false
	}
	return data[provider], true
}

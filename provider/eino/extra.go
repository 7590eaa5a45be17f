package eino

import (
	"encoding/base64"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/strata-go/strata"
)

// Where one side keeps what only the other has a field for.
const (
	// ExtraKey is the key in an Extra of eino's (of a message, a part, a tool
	// call, a tool) under which stands what has no field of its own in eino. It
	// survives JSON, the checkpoints of eino's graphs and agents, and
	// schema.ConcatMessages; JSON and checkpoints make numbers float64 and values of
	// Go types of their own in provider data plain JSON. Its form is this package's
	// own; [ResponseOf] reads that of an answer.
	ExtraKey = "strata"

	// DataKey is the key in a ProviderData under which stands an Extra of eino's:
	// of a tool call, a piece of media, a tool, and in Message.ProviderOptions of a
	// message.
	DataKey = "eino"

	// PartKey is the key in a content's ProviderData under which stand "extra", the
	// Extra of the part of a message that the content was, and "type", the part's
	// type where the media type does not tell it.
	PartKey = "eino.part"

	// MessageKey is the key in the ProviderData of one content of an answer under
	// which stand "extra", the Extra of the message it came in, and "name", the
	// message's name.
	MessageKey = "eino.message"
)

// own is what stands in extra besides the ExtraKey, or nil.
func own(extra map[string]any) map[string]any {
	if _, ok := extra[ExtraKey]; ok {
		extra = maps.Clone(extra)
		delete(extra, ExtraKey)
	}
	if len(extra) == 0 {
		return nil
	}
	return extra
}

// carried is what stands under the ExtraKey.
func carried(extra map[string]any) map[string]any {
	switch v := extra[ExtraKey].(type) {
	case kept:
		return v.fields
	case map[string]any: // that was JSON
		return v
	}
	return nil
}

// withCarried returns a copy of extra with rest under the ExtraKey, if there is any.
func withCarried(extra, rest map[string]any) map[string]any {
	if len(rest) == 0 {
		return maps.Clone(extra)
	}
	extra = maps.Clone(extra)
	if extra == nil {
		extra = map[string]any{}
	}
	extra[ExtraKey] = kept{rest}
	return extra
}

// foreign is data without what stands in an Extra of eino's, or nil.
func foreign(data strata.ProviderData) strata.ProviderData {
	var d strata.ProviderData
	for provider, fields := range data {
		if provider != DataKey && provider != PartKey && provider != MessageKey {
			if d == nil {
				d = strata.ProviderData{}
			}
			d[provider] = fields
		}
	}
	return d
}

// with returns data with fields under key, if there are any.
func with(data strata.ProviderData, key string, fields map[string]any) strata.ProviderData {
	if len(fields) == 0 {
		return data
	}
	if data == nil {
		data = strata.ProviderData{}
	}
	data[key] = fields
	return data
}

// contentTypes are the contents by the names they have in plain data.
var contentTypes = map[string]reflect.Type{
	"text": reflect.TypeFor[strata.Text](), "reasoning": reflect.TypeFor[strata.Reasoning](),
	"image": reflect.TypeFor[strata.Image](), "file": reflect.TypeFor[strata.File](),
	"call": reflect.TypeFor[strata.ToolCall](), "input": reflect.TypeFor[strata.ToolInput](),
	"result": reflect.TypeFor[strata.ToolResult](), "source": reflect.TypeFor[strata.Source](),
	"raw": reflect.TypeFor[strata.Raw](),
}

// plainContent is a content as plain data.
func plainContent(c strata.Content) map[string]any {
	m := plain(c)
	for name, t := range contentTypes {
		if t == reflect.TypeOf(c) {
			m["type"] = name
		}
	}
	return m
}

// contentFrom is the content that plainContent made plain, or nil.
func contentFrom(from any) strata.Content {
	m, _ := from.(map[string]any)
	name, _ := m["type"].(string)
	t, ok := contentTypes[name]
	if !ok {
		return nil
	}
	v := reflect.New(t).Elem()
	fill(v, m)
	c, _ := v.Interface().(strata.Content)
	return c
}

// plain is a struct as plain data: its fields by their names, without those that
// are zero. What stands in ProviderData and in a Raw is kept as it is.
func plain(v any) map[string]any {
	m, _ := plainValue(reflect.ValueOf(v)).(map[string]any)
	return m
}

func plainValue(v reflect.Value) any {
	if t, ok := v.Interface().(time.Time); ok {
		return t.Format(time.RFC3339Nano)
	}
	switch v.Kind() {
	case reflect.Struct:
		m := map[string]any{}
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() {
				m[v.Type().Field(i).Name] = plainValue(f)
			}
		}
		return m
	case reflect.Pointer:
		return plainValue(v.Elem())
	case reflect.Interface:
		if c, ok := v.Interface().(strata.Content); ok && v.Type() == reflect.TypeFor[strata.Content]() {
			return plainContent(c)
		}
		return v.Interface()
	case reflect.Map:
		if fields, ok := v.Interface().(map[string]any); ok { // of one provider
			return fields
		}
		m := map[string]any{}
		for k, f := range v.Seq2() {
			m[k.String()] = plainValue(f)
		}
		return m
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return v.Bytes()
		}
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plainValue(v.Index(i))
		}
		return list
	case reflect.String:
		return v.String()
	case reflect.Int, reflect.Int64:
		return int(v.Int())
	}
	return v.Interface()
}

// fill sets v to what plainValue made plain, which may have been JSON since then.
// What does not fit is left out.
func fill(v reflect.Value, from any) {
	if from == nil {
		return
	}
	if _, ok := v.Interface().(time.Time); ok {
		s, _ := from.(string)
		if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
			v.Set(reflect.ValueOf(t))
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		m, _ := from.(map[string]any)
		for i := range v.NumField() {
			fill(v.Field(i), m[v.Type().Field(i).Name])
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), from)
	case reflect.Interface:
		if v.Type() != reflect.TypeFor[strata.Content]() {
			v.Set(reflect.ValueOf(from))
		} else if c := contentFrom(from); c != nil {
			v.Set(reflect.ValueOf(c))
		}
	case reflect.Map:
		fillMap(v, from)
	case reflect.Slice:
		fillSlice(v, from)
	case reflect.String:
		s, _ := from.(string)
		v.SetString(s)
	case reflect.Bool:
		b, _ := from.(bool)
		v.SetBool(b)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(number(from)))
	}
}

func fillMap(v reflect.Value, from any) {
	m, _ := from.(map[string]any)
	if fields := reflect.ValueOf(m); m != nil && fields.Type().AssignableTo(v.Type()) {
		v.Set(fields)
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for key, value := range m {
		element := reflect.New(v.Type().Elem()).Elem()
		fill(element, value)
		v.SetMapIndex(reflect.ValueOf(key), element)
	}
}

func fillSlice(v reflect.Value, from any) {
	switch from := from.(type) {
	case []byte:
		v.SetBytes(from)
	case string:
		if data, err := base64.StdEncoding.DecodeString(from); err == nil && v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(data)
		}
	case []any:
		v.Set(reflect.MakeSlice(v.Type(), len(from), len(from)))
		for i, element := range from {
			fill(v.Index(i), element)
		}
	}
}

// number is a number of plain data.
func number(v any) int {
	switch n := v.(type) {
	case int:
		return n
	case int64:
		return int(n)
	case float64:
		return int(n)
	}
	return 0
}

// dataFrom is the provider data of an entry, or nil.
func dataFrom(entry map[string]any) strata.ProviderData {
	var data strata.ProviderData
	fill(reflect.ValueOf(&data).Elem(), entry["ProviderData"])
	if len(data) == 0 {
		return nil
	}
	return data.Clone()
}

// entries are those of a message's log in their order; see [writer].
func entries(extra map[string]any) []map[string]any {
	log := carried(extra)
	var places []int
	for key := range log {
		if n, err := strconv.Atoi(key); err == nil {
			places = append(places, n)
		}
	}
	slices.Sort(places)
	var list []map[string]any
	for _, n := range places {
		if e, ok := log[strconv.Itoa(n)].(map[string]any); ok {
			list = append(list, e)
		}
	}
	return list
}

// Package strictjson decodes JSON that people write by hand: every field must be
// known, letter for letter, and may stand once; null stands for nothing; and an
// error names the place.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// An Error says what is wrong and where.
type Error struct {
	Path string // ".runs[0].want"; empty: the value itself
	Err  error  // what is wrong
}

// Error returns "path: what is wrong".
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Err.Error()
	}
	return e.Path + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an error about the value at path; %w works as for fmt.Errorf.
func Errorf(path, format string, args ...any) error {
	return &Error{Path: path, Err: fmt.Errorf(format, args...)}
}

// At returns err with its place seen from a value around it, which has it at
// path. At(path, nil) is nil.
func At(path string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := err.(*Error); ok {
		return &Error{Path: path + e.Path, Err: e.Err}
	}
	return &Error{Path: path, Err: err}
}

// Decode reads the one JSON value in data into the value that v points to. It
// reads structs by their json tags, slices, maps, pointers, strings, booleans
// and numbers; a json.Unmarshaler reads what it gets, null included, and its
// error is given its place. Nothing else reads null, but for a field with the tag
// `strictjson:"null"`, which it leaves as it is. Errors are of type [*Error].
func Decode(data []byte, v any) error {
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			before := data[:min(int(syntax.Offset), len(data))]
			return Errorf("", "line %d: %v", 1+bytes.Count(before, []byte("\n")), err)
		}
		return Errorf("", "%v", err)
	}
	return decode(bytes.TrimSpace(raw), reflect.ValueOf(v).Elem())
}

var null = []byte("null")

func decode(raw []byte, v reflect.Value) error {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		return decode(raw, v.Elem())
	}
	if u, ok := v.Addr().Interface().(json.Unmarshaler); ok {
		return At("", u.UnmarshalJSON(raw))
	}
	if bytes.Equal(raw, null) {
		return Errorf("", "null is not %s", noun(v.Type()))
	}
	switch v.Kind() {
	case reflect.Struct:
		return eachMember(raw, v.Type(), structField(v))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		return eachMember(raw, v.Type(), func(name string, raw []byte) error {
			elem := reflect.New(v.Type().Elem()).Elem()
			err := decode(raw, elem)
			v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), elem)
			return At(fmt.Sprintf("[%q]", name), err)
		})
	case reflect.Slice:
		return decodeSlice(raw, v)
	}
	if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
		return Errorf("", "%s is not %s", brief(raw), noun(v.Type()))
	}
	return nil
}

// structField returns the function that reads one member of an object into the
// field of v that has its name.
func structField(v reflect.Value) func(name string, raw []byte) error {
	return func(name string, raw []byte) error {
		for _, f := range reflect.VisibleFields(v.Type()) {
			if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != name || tag == "" {
				continue
			}
			if f.Tag.Get("strictjson") == "null" && bytes.Equal(raw, null) {
				return nil
			}
			return At("."+name, decode(raw, v.FieldByIndex(f.Index)))
		}
		return Errorf("", "unknown field %q", name)
	}
}

// eachMember calls f for the members of an object, in order.
func eachMember(raw []byte, t reflect.Type, f func(name string, raw []byte) error) error {
	if raw[0] != '{' {
		return Errorf("", "%s is not %s", brief(raw), noun(t))
	}
	seen := map[string]bool{}
	return eachElement(raw, func(dec *json.Decoder) error {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name := key.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		if seen[name] {
			return Errorf("", "duplicate field %q", name)
		}
		seen[name] = true
		return f(name, value)
	})
}

func decodeSlice(raw []byte, v reflect.Value) error {
	if raw[0] != '[' {
		return Errorf("", "%s is not %s", brief(raw), noun(v.Type()))
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	return eachElement(raw, func(dec *json.Decoder) error {
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		err := decode(value, elem)
		path := fmt.Sprintf("[%d]", v.Len())
		v.Set(reflect.Append(v, elem))
		return At(path, err)
	})
}

// eachElement calls f as long as there is something in the object or array.
func eachElement(raw []byte, f func(*json.Decoder) error) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		if err := f(dec); err != nil {
			return err
		}
	}
	return nil
}

// noun says what JSON a type is read from.
func noun(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice:
		return "a list"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	}
	return "a value"
}

// brief returns the beginning of a value, on one line.
func brief(raw []byte) string {
	const most = 40
	s := strings.Join(strings.Fields(string(raw)), " ")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

package failure

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The bounds of what is read of a failure, so that reading takes time in
// proportion to at most readLimit bytes.
const (
	readLimit = 64 << 10
	maxDepth  = 12 // of objects in objects, strings of JSON included
	maxItems  = 32 // of one list
)

// facts is what a failure says of itself, whatever the shape it came in.
type facts struct {
	codes   map[string]bool // codes, types, reasons: see codeKey
	text    string          // all prose, as plain makes it, in lower case
	claims  string          // text without advice
	status  int             // of the response, or the one that the payload names
	code    string          // the provider's code, for people to read
	message string          // the provider's message, for people to read
	delays  []time.Duration // waits stated in fields of the payload, in order
	headers http.Header     // headers that the payload carries

	prose    []string
	inside   int    // a status that the payload names
	fallback string // a code that is only a number
}

// read gathers the facts of e.
func read(e *Error) *facts {
	f := &facts{codes: map[string]bool{}}
	if t := e.Headers.Get("x-amzn-errortype"); t != "" {
		f.addCode(t)
	}
	if e.Code != "" {
		f.addCode(e.Code)
	}
	if e.Status == http.StatusTooManyRequests && planUsedUp(e.Headers) {
		f.codes[codeKey("usage_limit_reached")] = true
	}
	f.body(head(e.Body, readLimit))
	if e.Message != "" && !slices.Contains(f.prose, e.Message) {
		f.note(head(e.Message, readLimit), 0)
	}
	if f.code == "" {
		f.code = f.fallback
	}
	text := plain(head(strings.Join(f.prose, ". "), readLimit))
	f.identifiers(text)
	f.text = strings.ToLower(text)
	f.claims = advice.ReplaceAllString(f.text, "$1")
	f.status = f.trueStatus(e.Status, text)
	return f
}

// trueStatus is the status of the response, unless it is a success or a proxy's
// 500, which may hide what its upstream said, and the payload names another: in
// a number, in words, or by a code.
func (f *facts) trueStatus(status int, text string) int {
	const vague = http.StatusInternalServerError
	if status >= 400 && status != vague {
		return status
	}
	named := f.inside
	if named == 0 || named == vague {
		named = cmp.Or(statusIn(text), named, f.namedStatus())
	}
	return cmp.Or(named, status)
}

// body reads a body of any form: JSON, lines of JSON, events of a stream, a page,
// or text.
func (f *facts) body(s string) {
	s = strings.TrimSpace(strings.TrimPrefix(s, "\uFEFF"))
	switch {
	case s == "":
	case strings.HasPrefix(s, "data:"), strings.Contains(s, "\ndata:") && s[0] != '{':
		for l := range strings.Lines(s) {
			if data, ok := strings.CutPrefix(l, "data:"); ok {
				f.payload(strings.TrimSpace(data))
			}
		}
	case s[0] == '<':
		f.page(s)
	default:
		f.payload(s)
	}
}

// payload reads JSON or text.
func (f *facts) payload(s string) {
	var quoted string
	switch {
	case s == "[DONE]": // the end of a stream
	case strings.HasPrefix(s, "[") && f.values(s, 0):
	case strings.HasPrefix(s, `"`) && json.Unmarshal([]byte(s), &quoted) == nil:
		f.note(quoted, 0)
	default:
		f.note(s, 0)
	}
}

// values reads the JSON values that s begins with, one after another; one that
// is cut off counts as far as it goes. It reports whether there was any.
func (f *facts) values(s string, depth int) bool {
	found := false
	for range maxItems {
		v, length, err := next(s)
		s = s[length:]
		switch v := v.(type) {
		case map[string]any:
			found = found || len(v) > 0
			f.visit(v, depth)
		case []any:
			found = found || len(v) > 0
			f.visit(v, depth)
		}
		if err != nil {
			break
		}
	}
	return found
}

// next reads the first value of s, or as much of it as there is.
func next(s string) (v any, length int64, err error) {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	if err = dec.Decode(&v); err == nil {
		return v, dec.InputOffset(), nil
	}
	dec = json.NewDecoder(strings.NewReader(s)) // token by token, which is slower
	dec.UseNumber()
	v, err = decode(dec, maxDepth)
	return v, dec.InputOffset(), err
}

// decode reads the next value, or as much of it as there is.
func decode(dec *json.Decoder, depth int) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return token, nil
	}
	if depth == 0 {
		return nil, strconv.ErrRange
	}
	if delim == '[' {
		list := []any{}
		for dec.More() {
			v, err := decode(dec, depth-1)
			list = append(list, v)
			if err != nil {
				return list, err
			}
		}
		_, err = dec.Token()
		return list, err
	}
	object := map[string]any{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return object, err
		}
		v, err := decode(dec, depth-1)
		if name, ok := key.(string); ok && v != nil {
			object[name] = v
		}
		if err != nil {
			return object, err
		}
	}
	_, err = dec.Token()
	return object, err
}

// The fields that say something, in the order in which they are believed.
// Nothing else of a payload is looked at: it may be the user's own words.
var (
	codeFields = []string{"code", "Code", "__type", "error_code", "errorCode", "errorcode", "status", "type", "error_type", "errorType",
		"reason", "blockReason", "limit_source"}
	messageFields = []string{"message", "Message", "msg", "error_message", "errorMessage", "error_msg", "status_msg", "faultstring",
		"error_description", "title", "detail", "error", "details", "raw", "description"}
	innerFields = []string{"error", "Error", "errors", "response", "Response", "fault", "detail", "details", "innererror", "inner_error", "innerError",
		"metadata", "raw", "cause", "violations", "incomplete_details", "promptFeedback", "provider_specific_fields", "base_resp",
		"previous_errors", "upstream_error", "body", "data"}
	statusFields = []string{"code", "status", "status_code", "statusCode", "http_code", "http_status", "http_status_code", "raw_status_code", "errorcode"}
	quotaFields  = []string{"quotaId", "quota_limit", "quota_limit_unit"}
)

// visit reads a value of the payload.
func (f *facts) visit(v any, depth int) {
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v[:min(len(v), maxItems)] {
			f.visit(item, depth+1)
		}
	case map[string]any:
		f.fields(v, depth)
	}
}

// fields reads the fields of an object that say something.
func (f *facts) fields(o map[string]any, depth int) {
	for _, name := range codeFields {
		f.addField(o[name])
	}
	if s, ok := o["code"].(string); ok && o["object"] == "error" && isNumber(s) {
		delete(f.codes, s) // Mistral's own numbers: others mean something else by them
	}
	for _, name := range statusFields {
		f.addStatus(o[name])
	}
	if n, ok := o["status_code"].(json.Number); ok && len(n) == 4 {
		f.addCode("base_resp." + n.String()) // MiniMax's own numbers
	}
	for _, name := range messageFields {
		if s, ok := o[name].(string); ok {
			f.note(s, depth+1)
		}
	}
	for _, name := range quotaFields {
		if s, ok := o[name].(string); ok {
			f.prose = append(f.prose, words(s))
		}
	}
	f.addDelays(o)
	for _, name := range innerFields {
		f.visit(o[name], depth+1)
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if strings.HasSuffix(name, "Exception") { // an event of Bedrock's stream
			f.addCode(name)
			f.visit(o[name], depth+1)
		}
	}
}

// object is where an object of JSON may begin.
var object = regexp.MustCompile(`\{\s*"`)

// note takes a string: a code if it is one word, prose else, and the JSON that
// may be in it.
func (f *facts) note(s string, depth int) {
	s = strings.TrimSpace(s)
	if s == "" || depth > maxDepth {
		return
	}
	if at := object.FindStringIndex(s); at != nil && f.values(s[at[0]:], depth+1) && at[0] == 0 {
		return // the string is JSON and nothing else
	}
	if isWord(s) {
		f.codes[codeKey(s)] = true
	}
	if f.message == "" {
		f.message = s
	}
	f.prose = append(f.prose, s)
}

// words splits a name in camel case: "RequestsPerDay" is "Requests Per Day".
func words(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && c >= 'A' && c <= 'Z' {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}

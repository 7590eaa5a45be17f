package failure

import (
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FromSDK reads err as [Of] reads the error of an SDK that no adapter knows, by
// the methods and fields that such errors commonly have, and returns the Error
// that it is, classified and without Model and Err, which the caller knows. It
// returns false where err is none of an SDK. It is for adapters of frameworks that
// hand on the errors of many SDKs.
func FromSDK(err error) (*Error, bool) { return fromSDK(err) }

// fromSDK reads an error of an SDK that no adapter knows, by the methods and
// fields that such errors commonly have. They may be spread over the chain, as
// AWS's are: each is taken from the first link that has it. Without a status or a
// code of a known form it is no error of an SDK.
func fromSDK(err error) (*Error, bool) {
	var e Error
	known := false
	for link := range chain(err) {
		known = readSDK(link, &e) || known
	}
	if !known {
		return nil, false
	}
	if e.Message == "" && e.Body == "" {
		e.Message = err.Error()
	}
	return Classify(e), true
}

// The names under which SDKs keep things. Status and code of one error come as
// methods or as fields.
var (
	statusMembers   = []string{"StatusCode", "HTTPStatusCode", "HttpStatusCode", "GetStatusCode", "HTTPStatus", "HTTPCode", "Status"}
	codeMembers     = []string{"ErrorCode", "Code", "Type", "Status"}
	messageMembers  = []string{"ErrorMessage", "Message", "Msg", "Detail"}
	bodyMembers     = []string{"RawJSON", "Body", "RawBody", "ResponseBody", "DumpResponse"}
	responseMembers = []string{"Response", "RawResponse", "HTTPResponse", "HttpResponse", "Resp"}
	headerMembers   = []string{"Header", "Headers", "ResponseHeaders", "GetHeaders"}
)

// readSDK fills what e lacks from link. It reports whether link is an error of an
// SDK: one that has the status of a failed response, or says a code as those of
// AWS and gRPC do.
func readSDK(link error, e *Error) (known bool) {
	// A method of a foreign type may panic, on a nil receiver say.
	defer func() {
		if recover() != nil {
			known = false
		}
	}()
	v := reflect.ValueOf(link)
	status := 0
	for _, name := range statusMembers {
		status = firstStatus(status, member(v, name))
	}
	if r := responseOf(v); r != nil {
		status = firstStatus(status, r.StatusCode)
		if e.Headers == nil {
			e.Headers = r.Header
		}
	}
	message := firstString(v, messageMembers)
	if code, ok := asInt(member(v, "Code")); ok && message != "" { // googleapi, genai
		status = firstStatus(status, code)
	}
	grpcCode, grpcMessage := grpcStatus(v)
	_, aws := link.(interface {
		ErrorCode() string
		ErrorMessage() string
	})
	if status == 0 && grpcCode == "" && !aws {
		return false
	}
	e.Status = firstStatus(e.Status, status)
	e.Code = cmp.Or(e.Code, codeOf(v), grpcCode)
	e.Message = cmp.Or(e.Message, message, grpcMessage)
	e.Body = cmp.Or(e.Body, firstString(v, bodyMembers))
	for _, name := range headerMembers {
		if h, ok := member(v, name).(http.Header); ok && e.Headers == nil {
			e.Headers = h
		}
	}
	if d, ok := member(v, "RetryAfter").(time.Duration); ok && e.RetryAfter == 0 && believable(d) {
		e.RetryAfter = d
	}
	return true
}

// member is the value of the method, without arguments and with one result, or
// else of the exported field of v that is called name; nil if there is none.
func member(v reflect.Value, name string) any {
	if m := v.MethodByName(name); m.IsValid() && m.Type().NumIn() == 0 && m.Type().NumOut() == 1 {
		return m.Call(nil)[0].Interface()
	}
	for v.Kind() == reflect.Pointer {
		v = v.Elem() // of nil: not valid
	}
	if v.Kind() != reflect.Struct {
		return nil
	}
	field, ok := v.Type().FieldByName(name)
	if !ok || !field.IsExported() {
		return nil
	}
	fv, err := v.FieldByIndexErr(field.Index)
	if err != nil || !fv.CanInterface() {
		return nil
	}
	return fv.Interface()
}

// responseOf is the response that v holds, under any of its names, or in the
// wrapper that AWS's SDK makes for it.
func responseOf(v reflect.Value) *http.Response {
	for _, name := range responseMembers {
		switch r := member(v, name).(type) {
		case nil:
		case *http.Response:
			if r != nil {
				return r
			}
		default:
			if inner, ok := member(reflect.ValueOf(r), "Response").(*http.Response); ok && inner != nil {
				return inner
			}
		}
	}
	return nil
}

// grpcStatus is the code and message of an error of gRPC, whose method
// GRPCStatus returns a type that this module does not link.
func grpcStatus(v reflect.Value) (code, message string) {
	s := member(v, "GRPCStatus")
	if s == nil {
		return "", ""
	}
	sv := reflect.ValueOf(s)
	if c, ok := member(sv, "Code").(interface{ String() string }); ok {
		code = c.String()
	}
	message, _ = member(sv, "Message").(string)
	return code, message
}

func firstStatus(have int, candidate any) int {
	if n, ok := asInt(candidate); ok && have == 0 && n >= 400 && n <= 599 {
		return n
	}
	return have
}

func asInt(v any) (int, bool) {
	rv := reflect.ValueOf(v)
	if rv.IsValid() && rv.CanInt() {
		return int(rv.Int()), true
	}
	return 0, false
}

// firstString is the first of the members that holds text.
func firstString(v reflect.Value, names []string) string {
	for _, name := range names {
		if s := text(member(v, name)); s != "" {
			return s
		}
	}
	return ""
}

// codeOf is the first of the members that holds a code.
func codeOf(v reflect.Value) string {
	for _, name := range codeMembers {
		if s := text(member(v, name)); isWord(s) {
			return s
		}
	}
	return ""
}

// text is v as text, if it is that.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []byte:
		return string(v)
	case json.RawMessage:
		return string(v)
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer {
		rv = rv.Elem()
	}
	if rv.Kind() == reflect.String {
		return rv.String()
	}
	return ""
}

var (
	// textStatus is a status of HTTP as SDKs and clients write it: "status code:
	// 429", "HTTP 429", "googleapi: Error 429: …", "Error code: 429 - {…}", "Error
	// 429, Message: …", "429 status code".
	textStatus = regexp.MustCompile(`(?i:\bstatus ?code[:=]? ?|\bstatus[:=] ?|\bwith status |\bhttp(?:/[\d.]+)? |\bgoogleapi: error |googleapi: got http response code )([45]\d\d)\b` +
		`|\bError code: ([45]\d\d) - |\bError ([45]\d\d), Message: |\b([45]\d\d) status code\b`)
	// textReason is a status with its reason: "429 Too Many Requests".
	textReason = regexp.MustCompile(`\b([45]\d\d) [A-Z][a-z]`)
	// textGRPC is an error of gRPC: "rpc error: code = Unavailable desc = …".
	textGRPC = regexp.MustCompile(`\brpc error: code = (\w+) desc = `)
	// textCode is a code that no prose contains.
	textCode = regexp.MustCompile(`\b(?:[a-z]+_)+error\b|\b[A-Z][A-Za-z]+Exception\b|\b(?:insufficient_quota|context_length_exceeded|rate_limit_exceeded|invalid_api_key|model_not_found)\b`)
)

// fromText reads the text of an error that has lost all else, if it is text that
// providers and their SDKs write.
func fromText(err error) (*Error, bool) {
	e := Error{Message: head(err.Error(), readLimit)}
	e.Status = statusIn(e.Message)
	if m := textGRPC.FindStringSubmatch(e.Message); m != nil {
		e.Code = m[1]
	}
	if e.Status == 0 && e.Code == "" && !namesError(e.Message) {
		return nil, false
	}
	return Classify(e), true
}

// statusIn is the status that text names, or 0.
func statusIn(text string) int {
	var digits string
	for _, m := range textStatus.FindAllStringSubmatch(text, 1) {
		digits = strings.Join(m[1:], "") // one of them matched
	}
	for _, at := range textReason.FindAllStringSubmatchIndex(text, maxItems) {
		n, _ := strconv.Atoi(text[at[2]:at[3]])
		if reason := http.StatusText(n); digits == "" && reason != "" && strings.HasPrefix(text[at[3]+1:], reason) {
			digits = text[at[2]:at[3]]
		}
	}
	status, _ := strconv.Atoi(digits)
	return status
}

// namesError reports whether text holds an error's payload, or a code that this
// package knows.
func namesError(text string) bool {
	if strings.Contains(text, `{"error":`) || strings.Contains(text, `{"type":"error"`) {
		return true
	}
	return slices.ContainsFunc(textCode.FindAllString(text, maxItems), func(code string) bool {
		_, evidence := evidenceTable.codes[codeKey(code)]
		_, status := statusNames[codeKey(code)]
		return evidence || status
	})
}

package failure

import (
	"encoding/json"
	"strconv"
	"strings"
)

// addField takes the value of a code field.
func (f *facts) addField(v any) {
	switch v := v.(type) {
	case json.Number:
		f.addCode(v.String())
	case string:
		if len(v) <= maxCode {
			f.addCode(v)
		}
	}
}

// noCodes stand where a code could, and say nothing.
var noCodes = map[string]bool{"": true, "none": true, "null": true, "nil": true, "aboutblank": true, "responsefailed": true, "response": true,
	"failed": true, "failure": true, "fail": true, "incomplete": true}

// addCode takes a code. The first that is not just a number of HTTP is shown.
func (f *facts) addCode(code string) {
	key := codeKey(code)
	if noCodes[key] {
		return
	}
	f.codes[key] = true
	if isHTTPStatus(code) {
		if f.fallback == "" {
			f.fallback = code
		}
		return
	}
	if f.code == "" {
		f.code = shownCode(code)
	}
}

// addStatus takes the value of a field that may hold a status of HTTP.
func (f *facts) addStatus(v any) {
	var s string
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = v
	}
	if f.inside == 0 && isHTTPStatus(s) {
		f.inside, _ = strconv.Atoi(s)
	}
}

func isHTTPStatus(s string) bool {
	return len(s) == 3 && (s[0] == '4' || s[0] == '5') && s[1] >= '0' && s[1] <= '9' && s[2] >= '0' && s[2] <= '9'
}

// isNumber reports whether a code is a number.
func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// isWord reports whether s can be a code: one word, not long.
func isWord(s string) bool {
	return s != "" && len(s) <= maxCode && !strings.ContainsAny(s, " \t\n")
}

// shownCode is the code without what surrounds it on AWS's wire:
// "com.amazon.coral#ThrottlingException:http://…".
func shownCode(code string) string {
	if i := strings.LastIndexByte(code, '#'); i >= 0 {
		code = code[i+1:]
	}
	code, _, _ = strings.Cut(code, ":")
	return code
}

// codeKey makes one key of the many spellings of a code: OVERLOADED,
// overloaded_error, OverloadedException.
func codeKey(code string) string {
	key := make([]byte, 0, len(code))
	for _, c := range []byte(shownCode(code)) {
		switch {
		case c >= 'A' && c <= 'Z':
			key = append(key, c+'a'-'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c >= 0x80:
			key = append(key, c)
		}
	}
	s := strings.TrimSuffix(string(key), "exception")
	return strings.TrimSuffix(s, "error")
}

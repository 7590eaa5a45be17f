package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
)

const redacted = "[redacted]"

// secrets are the credentials of one request, as they were sent. Servers and
// proxies echo them, and net/http puts URLs into its errors; nothing of a
// failure or of metadata may hold one.
type secrets []string

// minSecret is the length from which a credential is one. Shorter ones are
// placeholders for servers that want none ("none", "ollama"), which would be
// cut out of innocent text.
const minSecret = 8

// secretsOf finds the credentials in a request that is about to be sent.
func secretsOf(req *http.Request) secrets {
	var s secrets
	add := func(v string) {
		if len(v) >= minSecret && !slices.Contains(s, v) {
			s = append(s, v)
			if escaped := url.QueryEscape(v); escaped != v {
				s = append(s, escaped)
			}
		}
	}
	for name, values := range req.Header {
		for _, v := range values {
			if isSecret(name) {
				add(v)
				if _, token, ok := strings.Cut(v, " "); ok { // "Bearer …"
					add(token)
				}
			}
		}
	}
	for name, values := range req.URL.Query() {
		for _, v := range values {
			if isSecret(name) {
				add(v)
			}
		}
	}
	if password, ok := req.URL.User.Password(); ok {
		add(password)
	}
	return s
}

// isSecret reports whether a header or query parameter of a request carries a
// credential, by its name.
func isSecret(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"auth", "key", "token", "secret", "cookie", "signature", "password"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// text returns t without the secrets.
func (s secrets) text(t string) string {
	for _, secret := range s {
		t = strings.ReplaceAll(t, secret, redacted)
	}
	return t
}

// headers returns the headers of a response without cookies, credentials and secrets.
func (s secrets) headers(h http.Header) http.Header {
	safe := make(http.Header, len(h))
	for name, values := range h {
		switch http.CanonicalHeaderKey(name) {
		case "Set-Cookie", "Cookie", "Authorization", "Proxy-Authorization", "Api-Key", "X-Api-Key":
			continue
		}
		for _, v := range values {
			safe[name] = append(safe[name], s.text(v))
		}
	}
	return safe
}

// cause returns err, or where its text holds a secret the text alone without it,
// with the standard errors that err stood for.
func (s secrets) cause(err error) error {
	if text := fmt.Sprintf("%v %+v", err, err); s.text(text) == text {
		return err
	}
	kept := &redactedError{text: s.text(err.Error())}
	for _, known := range []error{
		context.Canceled, context.DeadlineExceeded, io.ErrUnexpectedEOF, io.EOF,
		syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE,
	} {
		if errors.Is(err, known) {
			kept.is = append(kept.is, known)
		}
	}
	return kept
}

type redactedError struct {
	text string
	is   []error
}

func (e *redactedError) Error() string   { return e.text }
func (e *redactedError) Unwrap() []error { return e.is }

// WithoutSecrets returns the address without user, query and fragment.
func WithoutSecrets(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		address, _, _ = strings.Cut(address, "?")
		return address[strings.LastIndexByte(address, '@')+1:]
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// withoutURL returns a transport's error with no more of the address than the
// server and the path: net/http names it whole.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return &url.Error{Op: u.Op, URL: WithoutSecrets(u.URL), Err: u.Err}
	}
	return err
}

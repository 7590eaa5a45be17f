package failure

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
)

// ofContext says whether a context ended the call: aborted or timeout. The
// empty Kind means that none did.
func ofContext(err error) Kind {
	for link := range chain(err) {
		switch {
		case is(link, context.Canceled):
			return Aborted
		case is(link, context.DeadlineExceeded), is(link, os.ErrDeadlineExceeded):
			return Timeout
		}
	}
	return ""
}

// is compares one link of a chain, as errors.Is does each. A walk's own Is would
// look at all its attempts, and is not asked.
func is(link, target error) bool {
	if link == target {
		return true
	}
	if _, walk := link.(interface{ Last() error }); walk {
		return false
	}
	x, ok := link.(interface{ Is(error) bool })
	return ok && x.Is(target)
}

// ofTransport says what the network, TLS or HTTP reports in err. The empty Kind
// means nothing.
func ofTransport(err error) Kind {
	kind, client := Kind(""), false
	for link := range chain(err) {
		switch link.(type) {
		case *fs.PathError, *os.LinkError, *json.SyntaxError, *json.UnmarshalTypeError:
			return "" // the caller's own files and data
		case *url.Error:
			client = true
		}
		if t, ok := link.(interface{ Timeout() bool }); ok && t.Timeout() {
			return Timeout
		}
		// An end of file is a fault only where an HTTP client met it: on a
		// connection that it reused.
		if isFault(link) || link == io.EOF && client {
			kind = Network
		}
	}
	if kind == "" {
		kind = transportText(err.Error())
	}
	return kind
}

// faults are the errors of system calls that tell of a connection.
var faults = []syscall.Errno{
	syscall.ECONNRESET, syscall.ECONNREFUSED, syscall.ECONNABORTED, syscall.EPIPE, syscall.ENETUNREACH, syscall.EHOSTUNREACH,
	syscall.ENETDOWN, syscall.EHOSTDOWN, syscall.ENETRESET, syscall.ENOTCONN, syscall.ESHUTDOWN, syscall.EADDRNOTAVAIL,
}

// isFault reports whether one link of a chain is a fault of a connection.
func isFault(link error) bool {
	switch e := link.(type) {
	case *net.OpError, *net.DNSError,
		tls.RecordHeaderError, tls.AlertError, *tls.CertificateVerificationError, *tls.ECHRejectionError,
		x509.UnknownAuthorityError, x509.HostnameError, x509.CertificateInvalidError, x509.SystemRootsError,
		x509.InsecureAlgorithmError, x509.ConstraintViolationError, x509.UnhandledCriticalExtension,
		*http.ProtocolError:
		return true
	case syscall.Errno:
		return slices.Contains(faults, e)
	}
	if link == io.ErrUnexpectedEOF || link == net.ErrClosed || link == http.ErrSchemeMismatch {
		return true
	}
	return slices.Contains(http2Faults, strings.TrimLeft(fmt.Sprintf("%T", link), "*"))
}

// http2Faults are the types of HTTP/2's errors: those of golang.org/x/net/http2,
// which this module does not link, and their unexported copies in net/http.
var http2Faults = []string{
	"http2.StreamError", "http2.GoAwayError", "http2.ConnectionError",
	"http.http2StreamError", "http.http2GoAwayError", "http.http2ConnectionError",
}

// transportTexts are what contexts, sockets, TLS and net/http write, for errors
// that lost their types on the way (fmt.Errorf with %v, RPC, SDKs). All have
// more than one word, so that no address contains them.
var transportTexts = []struct {
	kind  Kind
	texts []string
}{
	{Aborted, []string{
		"context canceled", "operation was canceled", "net/http: request canceled", "http2: canceling request",
	}},
	{Timeout, []string{
		"context deadline exceeded", "i/o timeout", "TLS handshake timeout", "(Client.Timeout exceeded", "(Client.Timeout or context cancellation",
		"timeout awaiting response headers", "connection timed out", "operation timed out", "http2: timeout awaiting",
	}},
	{Network, []string{
		"connection reset by peer", "connection refused", "write: broken pipe", "network is unreachable", "no route to host",
		"host is down", "software caused connection abort", "use of closed network connection", "forcibly closed by the remote host",
		"actively refused it", "no such host", "server misbehaving", "Temporary failure in name resolution",
		"remote error: tls: ", "tls: failed to verify", "tls: first record does not look", "tls: handshake failure", "tls: bad record MAC",
		"x509: certificate", "x509: cannot validate", "local error: tls: ",
		"server gave HTTP response to HTTPS client", "http: server closed idle connection", "http: idle connection timeout",
		"malformed HTTP ", "transport connection broken", "Transport failed to read from server",
		"malformed chunked encoding", "in chunk length", "chunked encoding contains", "for chunk length", "http chunk length", "in chunked line",
		"chunked line ends", "http: unexpected EOF", "cannot rewind body after connection loss",
		"server replied with more than declared Content-Length", "http: persistConn.readLoop exiting", "http: CloseIdleConnections called",
		"http2: server sent GOAWAY", "http2: Transport received", "http2: client connection lost", "http2: client conn is closed",
		"http2: client conn not usable", "http2: client conn could not", "http2: client connection force closed", "http2: response body closed",
		"http2: stream closed", "http2: Transport ", "http2: no cached connection", "http2: unexpected ",
		"stream error: stream ID ", "connection error: PROTOCOL", "connection error: FLOW", "connection error: COMPRESSION", "connection error: FRAME",
		"unexpected EOF", "proxyconnect tcp: ", "socks connect ",
	}},
}

// transportText says what kind of fault text tells of, if a transport wrote it.
func transportText(text string) Kind {
	text = head(text, readLimit)
	for _, t := range transportTexts {
		if slices.ContainsFunc(t.texts, func(s string) bool { return strings.Contains(text, s) }) {
			return t.kind
		}
	}
	// Get "https://…": EOF
	if strings.HasSuffix(text, `": EOF`) {
		return Network
	}
	return ""
}

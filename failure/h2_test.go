package failure_test

import (
	"crypto/tls"
	"encoding/binary"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

var quiet = log.New(io.Discard, "", 0)

// frames serves HTTP/2 by hand, frame by frame (RFC 9113), which net/http's
// server cannot be made to do: it answers the first request with half a body and
// then does what end says.
func frames(t *testing.T, end func(c net.Conn, stream uint32)) (*http.Client, string) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = quiet
	s.EnableHTTP2 = true
	s.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){
		"h2": func(_ *http.Server, c *tls.Conn, _ http.Handler) { serveFrames(c, end) },
	}
	s.TLS = &tls.Config{NextProtos: []string{"h2"}}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.Client(), s.URL
}

func serveFrames(c net.Conn, end func(net.Conn, uint32)) {
	defer c.Close()
	io.CopyN(io.Discard, c, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
	writeFrame(c, 4, 0, 0, nil) // SETTINGS
	for {
		var h [9]byte
		if _, err := io.ReadFull(c, h[:]); err != nil {
			return
		}
		size := int64(h[0])<<16 | int64(h[1])<<8 | int64(h[2])
		if _, err := io.CopyN(io.Discard, c, size); err != nil {
			return
		}
		switch kind, flags, stream := h[3], h[4], binary.BigEndian.Uint32(h[5:]); {
		case kind == 4 && flags == 0:
			writeFrame(c, 4, 1, 0, nil) // SETTINGS, acknowledged
		case kind == 1:
			writeFrame(c, 1, 4, stream, []byte{0x88}) // HEADERS: status 200
			writeFrame(c, 0, 0, stream, []byte("half"))
			end(c, stream)
			if stream > 1 {
				return
			}
		}
	}
}

func writeFrame(w io.Writer, kind, flags byte, stream uint32, payload []byte) {
	n := len(payload)
	frame := []byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags, 0, 0, 0, 0}
	binary.BigEndian.PutUint32(frame[5:], stream)
	w.Write(append(frame, payload...))
}

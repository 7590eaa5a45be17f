// Package dataurl writes and reads data URLs, as in RFC 2397.
package dataurl

import (
	"encoding/base64"
	"mime"
	"net/http"
	"strings"
)

// Format returns data as a URL, in base64. Without a media type it is found out
// from the data.
func Format(mediaType string, data []byte) string {
	return "data:" + MediaType(mediaType, data) + ";base64," + base64.StdEncoding.EncodeToString(data)
}

// MediaType returns mediaType, or where it is empty that of the data.
func MediaType(mediaType string, data []byte) string {
	if mediaType == "" {
		mediaType, _, _ = strings.Cut(http.DetectContentType(data), ";")
	}
	return mediaType
}

// Parse returns what a data URL in base64 holds; any other address is none.
func Parse(address string) (mediaType string, data []byte, ok bool) {
	address, ok = strings.CutPrefix(address, "data:")
	head, payload, comma := strings.Cut(address, ",")
	mediaType, base64ed := strings.CutSuffix(head, ";base64")
	if !ok || !comma || !base64ed {
		return "", nil, false
	}
	data, err := base64.StdEncoding.DecodeString(payload)
	if err != nil {
		return "", nil, false
	}
	if t, _, err := mime.ParseMediaType(mediaType); err == nil {
		mediaType = t
	}
	return mediaType, data, true
}

package openai

import (
	"cmp"
	"net/http"
)

// imageType is the media type of an image, by the wire's word for its format or,
// without one, by its bytes.
func imageType(format string, data []byte) string {
	if format == "" {
		return http.DetectContentType(data)
	}
	return "image/" + cmp.Or(map[string]string{"jpg": "jpeg", "svg": "svg+xml"}[format], format)
}

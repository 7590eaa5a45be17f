package bench

import (
	"net/url"
	"strings"

	"github.com/strata-go/strata"
)

// Key writes a model's ID for a store: no two IDs give the same, which the form
// that people read does not promise, nor does one begin with another.
func Key(id strata.ModelID) string {
	return url.PathEscape(id.Provider) + "/" + url.PathEscape(id.Name) + "/" + url.PathEscape(id.Account) + "/"
}

// ModelOf reads what Key writes. Of any other text it makes an ID that no model has.
func ModelOf(key string) strata.ModelID {
	var id strata.ModelID
	fields := strings.Split(key, "/")
	if len(fields) != 4 || fields[3] != "" {
		return strata.ModelID{Name: key}
	}
	for i, field := range []*string{&id.Provider, &id.Name, &id.Account} {
		text, err := url.PathUnescape(fields[i])
		if err != nil {
			return strata.ModelID{Name: key}
		}
		*field = text
	}
	return id
}

package failure

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	soon = 90 * time.Second // a throttle lifts within about a minute
	late = time.Hour        // what holds longer than this is an allowance
)

// liftsSoon reports whether the payload states a wait of about a minute at most.
func liftsSoon(f *facts) bool {
	d, ok := f.stated()
	return ok && d <= soon
}

// liftsLate reports whether the payload states a wait of hours or days.
func liftsLate(f *facts) bool {
	d, ok := f.stated()
	return ok && d > late
}

var zeroLimit = regexp.MustCompile(`\blimit(?: of|:)? 0(?:[^.\d]|\.\D|\.?$)`)

// allowsNone reports whether the limit that the payload names is zero.
func allowsNone(f *facts) bool { return zeroLimit.MatchString(f.claims) }

var capOf = regexp.MustCompile(`\blimit:? ?(\d[\d,]*)[^.]{0,60}?\brequested:? ?~?(\d[\d,]*)`)

// largerThanCap reports whether the request alone is larger than the limit that
// the payload names: "Limit 6000, Requested 12000".
func largerThanCap(f *facts) bool {
	m := capOf.FindStringSubmatch(f.text)
	if m == nil {
		return false
	}
	limit, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
	requested, err2 := strconv.ParseFloat(strings.ReplaceAll(m[2], ",", ""), 64)
	return err == nil && err2 == nil && limit > 0 && requested > limit
}

// refused reports whether the status says that the request itself is at fault.
func refused(f *facts) bool { return f.status == 400 || f.status == 413 || f.status == 422 }

// linksToThrottle reports whether the payload refers to Alibaba's page on
// throttled tokens.
func linksToThrottle(f *facts) bool {
	return slices.ContainsFunc(f.prose, func(s string) bool { return strings.Contains(s, "/error-code#token-limit") })
}

// statusNames are codes, by codeKey, that only name a status of HTTP. They say
// nothing that a real status does not say better.
var statusNames = map[string]int{
	"invalidrequest": 400, "invalidargument": 400, "badrequest": 400, "validation": 400, "failedprecondition": 400,
	"outofrange": 400, "invalidmessage": 400, "invalidparameter": 400, "invalidprompt": 400, "baseresp2013": 400,
	"clientspecifiedaninvalidargument": 400, "somerequestedentitywasnotfound": 404, "someresourcehasbeenexhausted": 429, // xAI
	"unauthorized": 401, "forbidden": 403, "notfound": 404, "resourcenotfound": 404, "conflict": 409, "aborted": 409,
	"unprocessableentity": 422,
	"internal":            500, "api": 500, "server": 500, "unknown": 500,
	"apiconnection": 503, "unavailable": 503, "deadlineexceeded": 504,
}

// namedStatus is the status that a code names, or 0. Of several the highest: a
// wrapper says "bad request" of anything.
func (f *facts) namedStatus() int {
	named := 0
	for code := range f.codes {
		named = max(named, statusNames[code])
	}
	return named
}

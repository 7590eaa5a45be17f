package strictjson

import (
	"fmt"
	"time"
)

// Duration is a time that is not negative, written as for time.ParseDuration.
type Duration time.Duration

// Std returns d as a time.Duration.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// UnmarshalJSON reads a string such as "1.5s".
func (d *Duration) UnmarshalJSON(data []byte) error {
	var s string
	if err := Decode(data, &s); err != nil {
		return fmt.Errorf(`%w: a duration is one, such as "1.5s"`, err)
	}
	parsed, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("%q is no duration", s)
	}
	if parsed < 0 {
		return fmt.Errorf("%q is negative", s)
	}
	*d = Duration(parsed)
	return nil
}

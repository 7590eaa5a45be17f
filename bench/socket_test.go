package bench_test

import (
	"bytes"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/openai"
)

// socketTime is how long BenchmarkSocket reads streams.
const socketTime = 5 * time.Second

// BenchmarkSocket reads streams of 200 parts over a loopback connection through
// the whole stack, an idle deadline included, and reports from a CPU profile whose
// time it took. It takes its own time: run it once.
func BenchmarkSocket(b *testing.B) {
	texts := slices.Repeat([]string{" token"}, 200)
	server := modeltest.NewServer(modeltest.Replies(modeltest.OK(texts...)))
	defer server.Close()
	sdk := openai.New("gpt-5", openai.APIKey("none"), openai.BaseURL(server.URL), openai.HTTPClient(server.Client()))
	m := wholeIdle()(sdk)
	read(m) // connects
	var cpu bytes.Buffer
	if err := pprof.StartCPUProfile(&cpu); err != nil {
		b.Fatal(err)
	}
	streams := 0
	for begun := time.Now(); time.Since(begun) < socketTime; streams++ {
		read(m)
	}
	pprof.StopCPUProfile()
	taken, err := profile.Parse(&cpu)
	if err != nil {
		b.Fatal(err)
	}
	spent := split(taken)
	if spent["adapter"] == 0 {
		b.Fatal("the profile has no samples")
	}
	b.ReportMetric(float64(streams), "streams")
	for _, whose := range []string{"stack", "adapter", "transport", "reader", "server", "runtime"} {
		b.ReportMetric(float64(spent[whose])/1e6, whose+"-ms")
	}
}

// split says whose time a CPU profile has, in nanoseconds: the server's, the
// adapter's with its SDK and decoding, the stack's, the HTTP transport's, or that
// of the runtime on its own.
func split(p *profile.Profile) map[string]int64 {
	spent := map[string]int64{}
	for _, s := range p.Sample {
		spent[owner(s)] += s.Value[len(s.Value)-1]
	}
	return spent
}

const module = "github.com/strata-go/strata"

// owner says whose a sample is. Layers call the adapter, and the adapter's yield
// calls the layers: a sample belongs to the function that is nearest the leaf
// among those of this module.
func owner(s *profile.Sample) string {
	transport := false
	var own string
	for _, l := range s.Location {
		for _, line := range l.Line {
			name := line.Function.Name
			path, ours := strings.CutPrefix(name, module)
			switch {
			case ours && strings.HasPrefix(path, "/modeltest"), strings.HasPrefix(name, "net/http.(*conn)"), strings.HasPrefix(name, "net/http.(*Server)"):
				return "server"
			case own != "":
			case ours && (strings.HasPrefix(path, "/provider/") || strings.HasPrefix(path, "/internal/exchange")), strings.HasPrefix(name, "github.com/openai/"):
				own = "adapter"
			case ours && strings.HasPrefix(path, "/bench"):
				own = "reader"
			case ours:
				own = "stack"
			case strings.HasPrefix(name, "net/http."):
				transport = true
			}
		}
	}
	switch {
	case own != "":
		return own
	case transport:
		return "transport"
	}
	return "runtime"
}

package bench_test

import (
	"bytes"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/modeltest"
	"github.com/strata-go/strata/provider/openai"
)

// socketTime is how long BenchmarkSocket reads streams.
const socketTime = 8 * time.Second

// whose are those whose time a profile may have.
var whose = []string{"stack", "sdk", "adapter", "transport", "reader", "server", "runtime"}

// BenchmarkSocket reads streams of 200 parts over a loopback connection through
// the whole stack, and reports from a CPU profile whose time it took. It takes its
// own time: run it once.
func BenchmarkSocket(b *testing.B) {
	texts := slices.Repeat([]string{" token"}, 200)
	server := modeltest.NewServer(modeltest.Replies(modeltest.OK(texts...)))
	defer server.Close()
	sdk := openai.New("gpt-5", openai.APIKey("none"), openai.BaseURL(server.URL), openai.HTTPClient(server.Client()))
	b.Run("whole", func(b *testing.B) { profiled(b, whole()(sdk)) })
	b.Run("whole+idle", func(b *testing.B) { profiled(b, wholeIdle()(sdk)) })
}

// profiled reads streams while a profile is taken.
func profiled(b *testing.B, m strata.Model) {
	limit := socketTime
	if testing.Short() {
		limit = 100 * time.Millisecond
	}
	read(m) // connects
	var cpu bytes.Buffer
	if err := pprof.StartCPUProfile(&cpu); err != nil {
		b.Fatal(err)
	}
	streams := 0
	for begun := time.Now(); time.Since(begun) < limit; streams++ {
		read(m)
	}
	pprof.StopCPUProfile()
	taken, err := profile.Parse(&cpu)
	if err != nil {
		b.Fatal(err)
	}
	spent := split(taken)
	if spent["sdk"] == 0 && !testing.Short() {
		b.Fatal("the profile has no samples")
	}
	b.ReportMetric(float64(streams), "streams")
	for _, who := range whose {
		b.ReportMetric(float64(spent[who])/1e6, who+"-ms")
	}
}

// split says whose time a CPU profile has, in nanoseconds: the stack's, the OpenAI
// SDK's with its reading and decoding, our adapter's to it, the HTTP transport's, the
// reader's, the server's, or that of the runtime on its own.
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
			case strings.HasPrefix(name, "github.com/openai/"):
				own = "sdk"
			case ours && (strings.HasPrefix(path, "/provider/") || strings.HasPrefix(path, "/internal/exchange")):
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

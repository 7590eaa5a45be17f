package middleware_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rows are the tests that the tables of a document name, as "section/row".
type rows map[string]func(t *testing.T)

// run runs each in virtual time.
func (r rows) run(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		t.Run(name, func(t *testing.T) { synctest.Test(t, r[name]) })
	}
}

// with returns the rows of several files together.
func with(all ...rows) rows {
	together := rows{}
	for _, r := range all {
		maps.Copy(together, r)
	}
	return together
}

// The columns of the documents' tables: what they come from, what it does, the
// Go form, the tests that show it.
const (
	columnGo    = 2
	columnTests = 3
)

var (
	span     = regexp.MustCompile("`([^`]+)`")
	testName = regexp.MustCompile(`\bTest\w+(/\w+)*`)
	declared = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	blanks   = regexp.MustCompile(`\s+`)
)

// Each line of a document's tables names a test that exists or says that its
// feature is of a later layer, each test is named, and each Go form stands in a
// test, so that it compiles and does what the line says.
func TestDocsNameTheirTests(t *testing.T) {
	for doc, test := range map[string]struct {
		name  string
		rows  rows
		files []string // that the Go forms and further tests are in
	}{
		"from-ai-retry.md":    {"TestAIRetry", aiRetry, []string{"ai_retry*_test.go", "families*_test.go", "../embedding/*_test.go", "../image/*_test.go", "../examples/sdkdirect/*.go", "sticky_test.go", "telemetry/*_test.go", "../registry_test.go", "../provider/openai/register_test.go"}},
		"from-providerkit.md": {"TestProviderkit", providerkit, []string{"providerkit_test.go"}},
	} {
		t.Run(doc, func(t *testing.T) {
			code := sources(t, test.files)
			known := map[string]bool{}
			for _, m := range declared.FindAllStringSubmatch(code, -1) {
				known[m[1]] = true
			}
			for row := range test.rows {
				known[test.name+"/"+row] = false // until it is named
			}
			code = blanks.ReplaceAllString(code, "")
			for _, cells := range tableLines(t, filepath.Join("..", "docs", doc)) {
				tests := testName.FindAllString(cells[columnTests], -1)
				assert.True(t, len(tests) > 0 || strings.HasPrefix(cells[columnTests], "later"), "%s: no test, and not later", cells[0])
				for _, name := range tests {
					_, ok := known[name]
					assert.True(t, ok, "%s: there is no %s", cells[0], name)
					known[name] = true
				}
				for _, m := range span.FindAllStringSubmatch(cells[columnGo], -1) {
					if len(tests) > 0 {
						assert.True(t, strings.Contains(code, blanks.ReplaceAllString(m[1], "")), "%s: no test has %s", cells[0], m[1])
					}
				}
			}
			for row := range test.rows {
				assert.True(t, known[test.name+"/"+row], "%s is in no table", row)
			}
		})
	}
}

// sources returns the text of the files that match the patterns.
func sources(t *testing.T, patterns []string) string {
	var all strings.Builder
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			all.Write(text)
		}
	}
	return all.String()
}

// tableLines returns the cells of a document's table lines, without those that
// head and rule a table.
func tableLines(t *testing.T, file string) (lines [][]string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			continue
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		require.Len(t, cells, columnTests+1, line)
		if cells[columnTests] != "test" && !strings.HasPrefix(cells[0], "---") {
			lines = append(lines, cells)
		}
	}
	require.NotEmpty(t, lines)
	return lines
}

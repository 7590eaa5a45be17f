package refusal

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestDev(t *testing.T) {
	a := rules()
	fmt.Println("states", len(a.beginning.states), len(a.behind.states), "words", len(a.words))
	files, _ := filepath.Glob("/work/shared/refusals/*.jsonl")
	var TP, FP, FN int
	show := os.Getenv("SHOW")
	for _, f := range files {
		var tp, fp, fn int
		h, _ := os.Open(f)
		sc := bufio.NewScanner(h)
		sc.Buffer(nil, 1<<20)
		for sc.Scan() {
			var d struct{ Id, Prompt, Completion, Label string }
			json.Unmarshal(sc.Bytes(), &d)
			r := newReader(400)
			r.feed(d.Completion)
			r.finish()
			ref := r.points >= 0
			names := ""
			for i := range r.signs {
				if r.seen[i/64]>>(i%64)&1 == 1 {
					names += r.signs[i].name[4:] + "; "
				}
			}
			switch {
			case d.Label == "refusal" && ref:
				tp++
			case d.Label == "refusal":
				fn++
				if show == "fn" {
					fmt.Printf("FN %s %s %.1f %d [%s] %.200q\n", filepath.Base(f)[:9], d.Id, r.points, r.read, names, d.Completion)
				}
			case d.Label == "compliance" && ref:
				fp++
				if show == "fp" {
					fmt.Printf("FP %s %s %.1f %d [%s] %.400q\n", filepath.Base(f)[:9], d.Id, r.points, r.read, names, d.Completion)
				}
			case d.Label == "compliance" && r.read > 60 && show == "held":
				fmt.Printf("HELD %s %s %.1f %d [%s] %.100q\n", filepath.Base(f)[:9], d.Id, r.points, r.read, names, d.Completion)
			}
		}
		fmt.Printf("%s P %.3f R %.3f tp %d fp %d fn %d\n", filepath.Base(f), float64(tp)/float64(tp+fp), float64(tp)/float64(tp+fn), tp, fp, fn)
		TP += tp
		FP += fp
		FN += fn
	}
	fmt.Printf("all P %.3f R %.3f\n", float64(TP)/float64(TP+FP), float64(TP)/float64(TP+FN))
}

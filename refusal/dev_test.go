package refusal

func DevScore(x string) (float64, []string) {
	r := newReader(400)
	r.feed(x)
	r.finish()
	var names []string
	for i := range r.signs {
		if r.seen[i/64]>>(i%64)&1 == 1 {
			names = append(names, r.signs[i].name)
		}
	}
	return r.score(), names
}

// Package bench measures strata beside its peers. It has no code of its own
// beside tests and benchmarks:
//
//	go test ./bench -bench .            # the Go side, with ratios to the bare model
//	go test ./bench -run TestAllocs     # allocations, which are exact
//	bench/run                           # both sides, several rounds; writes docs/benchmarks.md
//
// Every benchmark times the bare model in turns with what it measures, so that
// what else the machine does slows both. It reports
//
//	ns/op         of the subject
//	bare-ns/op    of the bare model beside it
//	x-bare        the one over the other
//
// The peers that run on Node are in the folder peers.
package bench

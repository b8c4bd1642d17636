package explore

import (
	"runtime"
	"runtime/metrics"
)

// cpuSeconds is how much processor time the program has used. The runtime
// updates it at the end of a garbage collection only.
func cpuSeconds() float64 {
	runtime.GC()
	sample := []metrics.Sample{
		{Name: "/cpu/classes/total:cpu-seconds"},
		{Name: "/cpu/classes/idle:cpu-seconds"},
	}
	metrics.Read(sample)
	return sample[0].Value.Float64() - sample[1].Value.Float64()
}

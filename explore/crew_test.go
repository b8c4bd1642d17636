package explore

import (
	"runtime"
	"testing"
	"time"
)

// TestCrew gives crews jobs of all sizes, some after a pause in which they go to
// sleep. Each part must be done once, and all of them before share returns.
func TestCrew(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 2, 3, runtime.GOMAXPROCS(0) + 5} {
		c := newCrew(size)
		done := make([]int, 64) // by part; a part that two do at a time is a data race
		for job := range 400 {
			parts := job * 7 % (len(done) + 1)
			clear(done)
			c.share(parts, func(worker, i int) {
				if worker < 0 || worker >= size {
					t.Errorf("a crew of %d has a worker %d", size, worker)
				}
				done[i]++
				if i%20 == 7 {
					time.Sleep(50 * time.Microsecond) // so that others wait
				}
			})
			for i, n := range done {
				want := 0
				if i < parts {
					want = 1
				}
				if n != want {
					t.Fatalf("crew of %d, job of %d parts: part %d was done %d times", size, parts, i, n)
				}
			}
			if job%50 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
		c.dismiss()
	}
}

// TestCrewWithoutWork: a crew that had nothing to do goes home, whether its members are
// still awake or sleep, and so does one that slept since its last job.
func TestCrewWithoutWork(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 2, 3, runtime.GOMAXPROCS(0) + 5} {
		for _, pause := range []time.Duration{0, 5 * time.Millisecond} {
			for _, jobs := range []int{0, 1} {
				c := newCrew(size)
				for range jobs {
					c.share(0, func(worker, i int) { t.Errorf("part %d of none", i) })
				}
				time.Sleep(pause)
				home := make(chan struct{})
				go func() {
					c.dismiss()
					close(home)
				}()
				select {
				case <-home:
				case <-time.After(30 * time.Second):
					t.Fatalf("a crew of %d, dismissed %v after %d jobs of nothing, is still there", size, pause, jobs)
				}
			}
		}
	}
}

package checker

import (
	"context"

	"dlcheck/explore"
	"dlcheck/explore/disk"
)

// graph is what the checker needs of a search, be it in memory or on disk.
type graph interface {
	States() uint64
	Transitions() uint64
	Buckets() []explore.Bucket
	Ended() explore.Reason
	Found(i int) (explore.Finding, bool)
	// Bytes is what it takes in memory.
	Bytes() int64
	// Toward is explore.Graph.Toward.
	Toward(ctx context.Context, sys explore.System, i int, tie explore.Note) (*explore.Toward, error)
	// Trace is some nearest path to the finding of Mark(i), final or not.
	Trace(sys explore.System, i int) ([][]uint64, error)
	// Close lets its states go; what was learnt from them stays.
	Close()
}

// inMemory is a graph in memory.
type inMemory struct{ *explore.Graph }

func (g inMemory) Toward(ctx context.Context, sys explore.System, i int, tie explore.Note) (*explore.Toward, error) {
	return g.Graph.Toward(ctx, sys, i, tie), nil
}

func (g inMemory) Trace(_ explore.System, i int) ([][]uint64, error) {
	f, _ := g.Found(i)
	return g.Graph.Trace(f), nil
}

func (inMemory) Close() {}

// explore explores the product of a search in a folder, or in memory if there is
// none.
func (c *check) explore(s *search, on *disk.Folder, opts explore.Options) error {
	if on == nil {
		var sys explore.System = s.product
		if c.q.undated {
			sys = undated{sys}
		}
		g, err := explore.Run(c.ctx, sys, opts)
		if g != nil {
			s.graph, s.memory = inMemory{g}, g
		}
		return err
	}
	g, err := disk.Run(c.ctx, s.product, on, opts)
	if err != nil {
		return err
	}
	s.graph = g
	c.onDisk = append(c.onDisk, g)
	if full := g.Full(); full != nil {
		c.run.Notes = append(c.run.Notes, full.Error()+"; more room, fewer clients or ticks, or more reductions would help")
	}
	return nil
}

// undated is a system that does not promise that states tell their date.
type undated struct{ explore.System }

// closeAll gives the room on disk back.
func (c *check) closeAll() {
	for _, g := range c.onDisk {
		g.Close()
	}
	if c.folder != nil {
		c.run.PeakDiskBytes = c.folder.Peak()
	}
}

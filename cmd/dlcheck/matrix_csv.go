package main

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"dlcheck/checker/matrix"
)

// matrixCSV writes a line per cell; lengths are empty where there is none.
func (c *command) matrixCSV(w io.Writer, m *matrix.Matrix) error {
	out := csv.NewWriter(w)
	out.Write([]string{"system", "group", "faults", "as_no_fault", "property", "report_only", "verdict", "bound", "violated_at_tick", "steps", "events", "ticks", "shortest", "cure_of_property", "cure_of_row", "refused", "command"})
	for i := range m.Rows {
		r := &m.Rows[i]
		if r.Refused != "" {
			row := make([]string, 17)
			row[0], row[1], row[2], row[15], row[16] = r.System.Name, csvGroup(r), r.Text(), r.Refused, cellCommand(m, r, propertiesOf(m)...)
			out.Write(row)
			continue
		}
		for k := range r.Cells {
			cell := &r.Cells[k]
			row := []string{r.System.Name, csvGroup(r), r.Text(), strconv.FormatBool(r.AsNoFault), cell.Property, strconv.FormatBool(cell.ReportOnly), string(cell.Result), figureOr(cell.Bound, -1), figureOr(cell.BeyondAt, 0), "", "", "", ""}
			if cell.Steps > 0 {
				row = append(row[:9], strconv.Itoa(cell.Steps), strconv.Itoa(cell.Events), strconv.Itoa(cell.Ticks), strconv.FormatBool(cell.Shortest))
			}
			out.Write(append(row, csvCure(&cell.Cure), csvCure(&r.Cure), "", cellCommand(m, r, cell.Property)))
		}
	}
	out.Flush()
	return out.Error()
}

func csvGroup(r *matrix.Row) string {
	if r.Variant != nil {
		return "variants"
	}
	return "faults"
}

// csvCure is the flags of a cure, or what came of the search for one.
func csvCure(r *matrix.Remedy) string {
	if r.State == matrix.Found {
		return strings.TrimSpace(flagsOf(r.Settings()))
	}
	return string(r.State)
}

// figureOr is a number, or nothing for the one that stands for none.
func figureOr(n, none int) string {
	if n == none {
		return ""
	}
	return strconv.Itoa(n)
}

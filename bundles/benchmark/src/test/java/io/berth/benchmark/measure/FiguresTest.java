package io.berth.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.benchmark.report.Report;
import io.berth.core.api.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {

    /** A clock without progress. */
    private record Still() implements Clock {

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    }

    @Test
    void computesMedianMinimumAndMaximum() {
        Figures figures = new Figures();
        for (long cpu : new long[] {9, 1, 5, 100, 7}) {
            figures.add(cpu, cpu * 2, cpu * 3);
        }

        assertThat(figures.runs()).isEqualTo(5);
        assertThat(figures.cpuNanos()).isEqualTo(new Figures.Spread(7, 1, 100));
        assertThat(figures.wallNanos()).isEqualTo(new Figures.Spread(14, 2, 200));
        assertThat(figures.bytes()).isEqualTo(new Figures.Spread(21, 3, 300));
    }

    @Test
    void hasNoFiguresWithoutRuns() {
        assertThatThrownBy(() -> new Figures().cpuNanos()).hasMessage("nothing was measured");
    }

    @Test
    void eachRunStartsFromARestoredState() {
        List<String> steps = new ArrayList<>();

        Figures figures = new Measuring(new Still(), 0, 2).measure(new Measuring.Subject() {
            @Override
            public void restore() {
                steps.add("restore");
            }

            @Override
            public void run() {
                steps.add("run");
            }
        });

        assertThat(figures.runs()).isEqualTo(2);
        assertThat(steps).containsExactly("restore", "run", "restore", "run", "restore", "run");
    }

    @Test
    void aReportKeepsItsOrder() {
        Report report = new Report()
                .text("policy", "a \"b\"")
                .number("slots", 3)
                .number("cost", 1.25)
                .flag("split", true);

        assertThat(report.json()).isEqualTo("""
                {
                  "policy": "a \\"b\\"",
                  "slots": 3,
                  "cost": 1.3,
                  "split": true
                }""");
        assertThat(report.table()).startsWith("policy  a ").endsWith("split   true");
    }
}

package ${package};

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.dataflow.api.Text;
import io.berth.testcluster.OperatorHarness;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ParseVisitTest {

    @Test
    void readsALine() throws Exception {
        try (OperatorHarness<Text, Visit> parser = OperatorHarness.of(new ParseVisit())) {
            parser.process(Text.of("2026-03-01T08:00:00Z /home 12"));
            assertThat(parser.output()).containsExactly(new Visit(Instant.parse("2026-03-01T08:00:00Z"), "/home", 12));
            assertThat(parser.sideOutput("rejected")).isEmpty();
        }
    }

    @Test
    void rejectsLinesThatAreNoVisits() throws Exception {
        try (OperatorHarness<Text, Visit> parser = OperatorHarness.of(new ParseVisit())) {
            String[] lines = {
                "", "2026-03-01T08:00:00Z /home slow", "today /home 12", "2026-03-01T08:00:00Z /home 12 13"
            };
            for (String line : lines) {
                parser.process(Text.of(line));
            }
            assertThat(parser.output()).isEmpty();
            assertThat(parser.sideOutput("rejected")).containsExactly((Object[]) lines);
        }
    }
}

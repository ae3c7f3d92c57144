package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class RescaleCommandTest {

    private final CommandLineRun line = new CommandLineRun();

    /** It fails by itself when the job does not run at the parallelism of each step. */
    @Test
    void measuresEachStepByPhase() throws IOException {
        JsonNode report =
                line.json("rescale", "--sizes", "12,24", "--runs", "2", "--warm-ms", "0", "--slots", "2", "-o", "json");
        assertThat(report.path("slotsOfWorker").intValue()).isEqualTo(2);
        assertThat(report.path("rows")).hasSize(12);
        assertThat(report.path("rows").findValuesAsText("step").subList(0, 6))
                .containsExactly("2->3", "3->1", "1->4", "joins", "leaves", "4->2");
        assertThat(report.path("rows").findValuesAsText("subtasks").subList(6, 12))
                .containsExactly("12->18", "18->6", "6->24", "24->30", "30->24", "24->12");
        for (JsonNode row : report.path("rows")) {
            for (String phase : new String[] {"stopped", "ended", "built", "running"}) {
                assertThat(row.path(phase).doubleValue()).as(phase).isPositive();
            }
            boolean grows = row.path("step").asText().matches("2->3|1->4|joins");
            assertThat(row.path("requested").doubleValue() > 0).isEqualTo(grows);
            assertThat(row.path("available").doubleValue() > 0).isEqualTo(grows);
            assertThat(row.path("executions").intValue()).isPositive();
            assertThat(row.path("cpu").doubleValue()).isPositive();
        }
    }

    @Test
    void namesTheOptionAndWhatIsAllowed() {
        assertThat(line.run("rescale", "--sizes", "10,0")).isEqualTo(2);
        assertThat(line.err())
                .contains("option --sizes is '10,0': allowed are whole numbers from 1 to 100000 with commas");
        assertThat(line.run("rescale", "--slots", "3")).isEqualTo(2);
        assertThat(line.err()).contains("option --slots is '3': allowed are 1, 2 and 4");
        assertThat(line.run("rescale", "--stabilization-ms", "-1")).isEqualTo(2);
        assertThat(line.err()).contains("option --stabilization-ms is '-1': allowed is a whole number from 0 to 60000");
    }
}

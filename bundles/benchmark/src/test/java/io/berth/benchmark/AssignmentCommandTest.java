package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.benchmark.assignment.MaximumMatching;
import io.berth.benchmark.assignment.SlotFamily;
import io.berth.benchmark.assignment.WholeAssignment;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AssignmentCommandTest {

    private final CommandLineRun line = new CommandLineRun();

    @Test
    void eachStrategyThatClaimsItAssignsAllSlotsThatCanServe() throws IOException {
        for (String family : new String[] {"loose", "skew"}) {
            for (String policy : new String[] {"first-fit", "optimal"}) {
                JsonNode report = line.json(
                        "assignment",
                        "--policy",
                        policy,
                        "--family",
                        family,
                        "--slots",
                        "200",
                        "--seeds",
                        "20",
                        "--runs",
                        "1",
                        "--warm-ms",
                        "0",
                        "-o",
                        "json");
                assertThat(report.path("maximum").intValue()).isEqualTo(4_000);
                assertThat(report.path("assigned").intValue()).isEqualTo(4_000);
            }
        }
    }

    /** So the families tell strategies apart. */
    @ParameterizedTest
    @EnumSource(SlotFamily.Kind.class)
    void takingTheNextSlotThatIsLargeEnoughLeavesSomeOver(SlotFamily.Kind kind) {
        SlotFamily job = SlotFamily.of(kind, 200, 20, 1);
        WholeAssignment greedy = new WholeAssignment(
                (input, result) -> {
                    int[] left = new int[input.requirements()];
                    for (int slot = 0; slot < input.slots(); slot++) {
                        for (int requirement = 0; requirement < left.length; requirement++) {
                            if (input.accepts(requirement, slot) && left[requirement] < input.count(requirement)) {
                                left[requirement]++;
                                result.assign(slot, requirement);
                                break;
                            }
                        }
                    }
                },
                job);
        greedy.run();
        assertThat(greedy.assigned()).isBetween(100, 199);
        assertThat(MaximumMatching.of(job)).isEqualTo(200);
    }

    @Test
    void measuresTheStrategyOfABundle() throws IOException {
        Path bundle = Path.of("..", "matching-optimal", "target", "berth-matching-optimal.jar");
        JsonNode report = line.json(
                "assignment --slots 50 --seeds 1 --runs 1 --warm-ms 0 -o json", "--bundle", bundle.toString());
        assertThat(report.path("policy").asText()).isEqualTo("optimal");
        assertThat(report.path("assigned").intValue()).isEqualTo(50);

        Path fifo = Path.of("..", "distribution-fifo", "target", "berth-distribution-fifo.jar");
        assertThat(line.run("assignment", "--bundle", fifo.toString())).isEqualTo(2);
        assertThat(line.err()).contains("it has no matching strategy, only the distribution policy fifo");
    }

    @Test
    void namesTheOptionAndWhatIsAllowed() {
        assertThat(line.run("assignment", "--slots", "0")).isEqualTo(2);
        assertThat(line.err()).contains("option --slots is 0: 1 to 20000 is allowed");
        assertThat(line.run("assignment", "--policy", "worst")).isEqualTo(2);
        assertThat(line.err()).contains("worst").contains("first-fit");
        assertThat(line.run("assignment", "--family", "tight")).isEqualTo(2);
        assertThat(line.err()).contains("--family").contains("loose");
    }
}

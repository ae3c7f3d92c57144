package io.berth.ops.shell.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyOperations.ConsideredPolicy;
import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.spi.PolicyKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionInfoCommandTest {

    @Test
    void printsEachPartThatIsNotEmpty() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DecisionInfoCommand.print(
                new DecisionDetails(
                        7,
                        1,
                        "pool default",
                        List.of(new PolicyStamp(PolicyKind.MATCHING, "spread", "c", "0.1.0", 4, 2)),
                        3,
                        List.of("job-1"),
                        List.of("state 3: 2 workers"),
                        List.of("w-1: 1 slot"),
                        List.of(),
                        12,
                        List.of(new ConsideredPolicy(PolicyKind.MATCHING, "moody", "m", "1", 0, "quarantined: bad")),
                        List.of("round 1: taken")),
                new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "Decision 7 of 1970-01-01T00:00:00.001Z for pool default on state 3, 12 microseconds",
                        "  by matching spread 0.1.0 (c), generation 4, configuration 2",
                        "candidates:",
                        "  matching moody 1 (m), configuration 0: quarantined: bad",
                        "jobs:",
                        "  job-1",
                        "inputs:",
                        "  state 3: 2 workers",
                        "rounds:",
                        "  round 1: taken",
                        "results:",
                        "  w-1: 1 slot");
    }
}

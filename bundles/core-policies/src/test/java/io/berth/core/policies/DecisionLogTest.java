package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DecisionLogTest {

    private static final DecisionFilter ALL =
            new DecisionFilter(Optional.empty(), Optional.empty(), Optional.empty(), 10_000);

    private static DecisionDetails decision(long number, int lines) {
        List<String> text = Collections.nCopies(lines, "line");
        return new DecisionDetails(number, 0, "pool default", List.of(), 0, List.of("a"), text, text, text, 1, List.of(), List.of());
    }

    @Test
    void keepsTheNewestDecisionsUpToTheirNumber() {
        DecisionLog log = new DecisionLog(3);
        for (int count = 0; count < 5; count++) {
            log.record(decision(log.next(), 1));
        }
        assertThat(log.find(ALL)).extracting(DecisionDetails::number).containsExactly(5L, 4L, 3L);
    }

    @Test
    void keepsFewerDecisionsWhenTheyHaveManyLines() {
        DecisionLog log = new DecisionLog(10_000);
        for (int count = 0; count < 2_000; count++) {
            long number = log.next();
            log.record(decision(number, 200));
            log.amend(number, List.of("allocation"));
        }
        long lines = log.find(ALL).stream()
                .mapToLong(each -> each.inputs().size() + each.results().size() + each.reasons().size())
                .sum();
        assertThat(lines).isBetween(DecisionLog.MOST_LINES_KEPT / 2L, (long) DecisionLog.MOST_LINES_KEPT);
        assertThat(log.decision(2_000)).isPresent();
    }
}

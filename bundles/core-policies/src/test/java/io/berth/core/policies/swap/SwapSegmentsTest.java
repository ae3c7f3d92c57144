package io.berth.core.policies.swap;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.policy.LedgerState;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SwapSegmentsTest {

    private static final PolicyStamp STAMP = new PolicyStamp(PolicyKind.SCALING, "a", "b", "1", 1, 1);

    private final SwapSegments segments = new SwapSegments(300);

    private static SwapTrigger trigger() {
        return new SwapTrigger(PolicyKind.SCALING, Optional.empty(), PolicyEvent.USE, "a", 1, 0, 0, 0);
    }

    private void add(int from, int to, SwapTrigger trigger) {
        for (int owner = from; owner <= to; owner++) {
            segments.add(new Swap(owner, trigger, "job " + owner, STAMP, STAMP, LedgerState.NONE, 0));
        }
    }

    @Test
    void keepsTheNewestAndWritesEmptySegmentsToDeleteThem() {
        segments.keep(3);
        add(1, 1_000, trigger());
        assertThat(segments.newest(4)).extracting(SwapDetails::number).containsExactly(1_000L, 999L, 998L);
        assertThat(segments.takeUnwritten(100)).contains(0L, 9L);
        assertThat(segments.segment(0)).isEmpty();
        assertThat(segments.segment(9)).hasSize(3);
    }

    @Test
    void aChangedTriggerWritesTheSegmentsOfItsRecordsAgain() {
        SwapTrigger second = trigger();
        add(1, 100, trigger());
        add(101, 150, second);
        assertThat(segments.takeUnwritten(100)).containsExactly(0L, 1L);
        segments.changed(List.of(second));
        assertThat(segments.takeUnwritten(100)).containsExactly(1L);
    }
}

package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import org.junit.jupiter.api.Test;

/** What the host accepts and rejects, the kit accepts and rejects too. */
class PlacementRulesTest {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1L << 30);

    private final ArrayWorkersView workers =
            new ArrayWorkersView().worker(SLOT.times(4)).worker(SLOT.times(4));
    private final ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
    private final RecordedPlacement plan = new RecordedPlacement(workers);

    private void check() {
        PlacementRules.check(workers, admitted, plan);
    }

    @Test
    void roomThatIsExcludedCountsForNothing() {
        admitted.add("a", SLOT, 4, 0).add("b", SLOT, 4);
        plan.place(1, 0, 4);
        assertThatThrownBy(this::check).hasMessageContaining("room for entry 0, of which 4 slots were left out");
        plan.exclude(0, 0, "at most two slots on a host");
        assertThatThrownBy(this::check).hasMessageContaining("room for entry 0, of which 4 slots were left out");
        plan.exclude(0, 1, "at most two slots on a host");
        assertThatCode(this::check).doesNotThrowAnyException();
    }

    @Test
    void anExclusionHasAReasonAndIsKept() {
        admitted.add("a", SLOT, 2);
        plan.place(0, 0, 2);
        plan.exclude(0, 1, " ");
        assertThatThrownBy(this::check).hasMessageContaining("reason why entry 0 must not be on worker 1");
        RecordedPlacement broken = new RecordedPlacement(workers);
        broken.place(0, 0, 2);
        broken.exclude(0, 0, "full");
        assertThatThrownBy(() -> PlacementRules.check(workers, admitted, broken))
                .hasMessageContaining("the constraints of its entry and its exclusions allow");
    }

    @Test
    void newWorkersAreOfASpecThatTheConstraintsAllow() {
        workers.spec(WorkerSpec.of("gpu", SLOT.times(4)).taint("gpu", "v100").build(), 1);
        admitted.add("a", SLOT, 9);
        plan.place(0, 0, 4);
        plan.place(0, 1, 4);
        assertThatCode(this::check).doesNotThrowAnyException();
        plan.place(0, plan.open(0), 1);
        assertThatThrownBy(this::check).hasMessageContaining("the constraints of its entry");
    }
}

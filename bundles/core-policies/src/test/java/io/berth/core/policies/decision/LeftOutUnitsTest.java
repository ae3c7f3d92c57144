package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.spi.JobId;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftOutUnitsTest {

    private static final UnitDemand UNIT =
            new UnitDemand(new JobId("job"), "all", 1, SchedulingAttributes.DEFAULT, List.of());
    private static final long STRATEGY = 1;
    private static final long LIMIT = 100;

    private final LeftOutUnits units = new LeftOutUnits();

    private long leaveOut(UnitDemand unit, long nowNanos) {
        units.begin();
        long nanos = units.leftOut(unit, STRATEGY, nowNanos);
        units.end();
        return nanos;
    }

    @Test
    void theNextDecisionIsDueWhenAUnitReachesTheLimit() {
        assertThat(leaveOut(UNIT, 1_000)).isZero();
        assertThat(units.next(LIMIT, 1_010)).hasValue(90);
        assertThat(leaveOut(UNIT, 1_040)).isEqualTo(40);
        assertThat(units.next(LIMIT, 1_050)).hasValue(50);
    }

    @Test
    void aUnitThatReachesTheLimitWhileADecisionEndsIsLookedAtAgainAtOnce() {
        leaveOut(UNIT, 1_000);
        leaveOut(UNIT, 1_099);
        assertThat(units.next(LIMIT, 1_101)).hasValue(0);
    }

    @Test
    void aUnitThatADecisionSawBeyondTheLimitIsNotDueAgain() {
        leaveOut(UNIT, 1_000);
        leaveOut(UNIT, 1_100);
        assertThat(units.next(LIMIT, 1_101)).isEmpty();
    }

    @Test
    void aUnitThatADecisionDidNotGetToIsDueAtTheLimit() {
        leaveOut(UNIT, 1_000);
        units.begin();
        assertThat(units.next(LIMIT, 1_050)).hasValue(50);
        assertThat(units.next(LIMIT, 1_100)).isEmpty();
    }
}

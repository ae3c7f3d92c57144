package io.berth.core.policies.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyKind;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Failures that are not in a row and slow calls count too, and they are reported. */
class RecentFailuresTest {

    /** A clock that only moves when a test moves it. */
    private static final class Hand implements Clock {

        private final AtomicLong nanos = new AtomicLong(1);

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public long millis() {
            return nanos.get() / 1_000_000;
        }

        @Override
        public long wallMillis() {
            return millis();
        }
    }

    private final Hand clock = new Hand();
    private final Bench bench = new Bench(60_000, clock);

    @AfterEach
    void end() {
        bench.close();
    }

    private PlacementPlanner planner(Bench.Placing placing) {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "moody", 1_000, Bench.placing("moody", placing));
        bench.awaitState("moody", "deciding");
        return bench.planner();
    }

    private String diagnosis() {
        return bench.platform
                .diagnose(Optional.of(PolicyKind.MATCHING), Optional.of("moody"))
                .get(0)
                .toString();
    }

    @Test
    void aPolicyThatFailsEveryThirdTimeIsQuarantinedWithTheNumberOfFailures() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        PlacementPlanner planner = planner((workers, admitted, plan) -> {
            if (calls.incrementAndGet() % 3 == 0) {
                throw new IllegalStateException("every third time");
            }
            Bench.LEAVES_OUT.place(workers, admitted, plan);
        });
        Bench.planned(planner, bench.twoWorkersAndAJob());
        for (int round = 0; round < 5; round++) {
            Bench.planned(planner, bench.input().build());
        }
        assertThat(diagnosis())
                .contains("DECIDING")
                .contains("of its last 6 calls 2 failed and 0 were slow")
                .contains("every third time")
                .contains("half of its calls take at most 0 ms");
        for (int round = 0; round < 18; round++) {
            Bench.planned(planner, bench.input().build());
        }
        assertThat(bench.state("moody"))
                .startsWith("quarantined for pool default: ")
                .contains("of its last 24 calls 8 failed");
    }

    @Test
    void slowCallsAreReportedInTheDecisionAndTheDiagnosisAndFinallyQuarantine() throws Exception {
        PlacementPlanner planner = planner((workers, admitted, plan) -> {
            clock.nanos.addAndGet(31_000_000_000L);
            plan.place(0, 0, 1);
            plan.unplaced(0, "slowly");
        });
        PlanOutcome.Planned planned = Bench.planned(planner, bench.twoWorkersAndAJob());
        assertThat(planned.matching().name()).isEqualTo("moody");
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains("matching moody")
                        .contains("is slow: place took 31000 ms, more than 30000 ms"));
        assertThat(diagnosis()).contains("DECIDING").contains("were slow").contains("the longest 31");
        for (int round = 0; round < 8; round++) {
            Bench.planned(planner, bench.input().build());
        }
        assertThat(bench.state("moody"))
                .startsWith("quarantined for pool default: of its last")
                .contains("8 were slow");
    }

    @Test
    void aLimitOutOfRangeIsRefusedWithItsKey() {
        assertThatThrownBy(() -> new PolicyLimits(1, 3, 31, 30, 50, 0, 0))
                .hasMessage("quarantine.recent.failures is 31: 1 to 30 is allowed");
    }
}

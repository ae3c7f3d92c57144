package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A distribution policy admits in ranks, and a strategy chooses freely among the entries of one rank. */
class RanksTest {

    private final Bench bench = new Bench();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        bench.close();
    }

    /** Three jobs that want all four slots of the only worker; the strategy serves the second one. */
    private PlanOutcome.Planned planned(Bench.Admitting admitting) throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.DISTRIBUTION, "ranked", 1_000, Bench.admitting("ranked", admitting));
        bench.add(PolicyKind.MATCHING, "choosing", 1_000, Bench.placing("choosing", (workers, admitted, plan) -> {
            for (int entry = 0; entry < admitted.size(); entry++) {
                seen.add(admitted.job(entry) + " " + admitted.rank(entry));
                if (admitted.job(entry).value().equals("second")) {
                    plan.place(entry, 0, 4);
                }
            }
        }));
        bench.awaitState("choosing", "deciding");
        bench.awaitState("ranked", "deciding");
        return Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE)
                        .unit(0, "first", 4, 4, 0)
                        .unit(1, "second", 4, 4, 0)
                        .unit(2, "third", 4, 4, 0)
                        .build());
    }

    /** A unit that found no room is not there in the next round. */
    private static void admit(int unit, DemandsView demands, AdmissionBuilder result) {
        if (demands.candidate(unit) && demands.allocated(unit, 0) < demands.minimum(unit, 0)) {
            result.admitMinimum(unit);
        }
    }

    private String reasons(PlanOutcome.Planned planned) {
        return String.join(
                "\n", bench.platform.decision(planned.decision()).orElseThrow().reasons());
    }

    @Test
    void amongEntriesOfOneRankAStrategyMayChoose() throws Exception {
        PlanOutcome.Planned planned = planned((demands, result) -> {
            result.beginRank();
            admit(0, demands, result);
            admit(1, demands, result);
            result.endRank();
            admit(2, demands, result);
        });
        assertThat(planned.matching().name()).isEqualTo("choosing");
        assertThat(planned.placements()).containsExactly(new Placement(1, 0, 0, 4, true));
        assertThat(seen).startsWith("first 0", "second 0", "third 1");
    }

    @Test
    void anEntryOfALargerRankMustNotTakeTheRoom() throws Exception {
        PlanOutcome.Planned planned = planned((demands, result) -> {
            admit(0, demands, result);
            result.beginRank();
            admit(1, demands, result);
            admit(2, demands, result);
            result.endRank();
        });
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(planned.placements()).containsExactly(new Placement(0, 0, 0, 4, true));
        assertThat(seen).startsWith("first 0", "second 1", "third 1");
        assertThat(reasons(planned)).contains("gives room to later jobs that job first could have used");
    }

    @Test
    void ranksAreNotNested() throws Exception {
        PlanOutcome.Planned planned = planned((demands, result) -> {
            result.beginRank();
            result.beginRank();
        });
        assertThat(planned.distribution().name()).isEqualTo("fifo");
        assertThat(reasons(planned)).contains("begins a rank before it ends the one that it began");
    }

    @Test
    void aRankThatDidNotBeginCannotEnd() throws Exception {
        PlanOutcome.Planned planned = planned((demands, result) -> {
            admit(0, demands, result);
            result.endRank();
        });
        assertThat(planned.distribution().name()).isEqualTo("fifo");
        assertThat(reasons(planned)).contains("ends a rank that it did not begin");
    }
}

package io.berth.simulator.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import io.berth.simulator.replay.Small;
import io.berth.simulator.replay.cluster.ReplayedWorker.Held;
import io.berth.simulator.traces.Node;
import io.berth.simulator.traces.TraceJob;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A test breaks each invariant once. */
class InvariantsTest {

    private static final ResourceProfile SLOT = Small.profile(1, 1, 0);

    private final List<Node> nodes = List.of(Small.node("a", 2), Small.node("b", 2));
    private final List<TraceJob> jobs = List.of(Small.job("j", 0, 1, 2, ""), Small.job("k", 0, 1, 2, ""));
    private final Dimensions dimensions = Dimensions.of(nodes, jobs);
    private final Invariants invariants = new Invariants(dimensions);
    private final ReplayedWorker a = worker(0);
    private final ReplayedWorker b = worker(1);

    private ReplayedWorker worker(int index) {
        ReplayedWorker worker = new ReplayedWorker(
                index, nodes.get(index), dimensions.amounts(nodes.get(index).total()), invariants::granted);
        worker.begin();
        return worker;
    }

    private Held grant(ReplayedWorker worker, int allocation, String job, ResourceProfile profile) {
        ReplayedJob of = new ReplayedJob(0, jobs.get(0), lost -> {});
        AllocationId id = new AllocationId(1, allocation);
        worker.requestSlots(new SlotRequests(
                new ResourceManagerId(new FencingToken(1, new UUID(0, 0))),
                List.of(new SlotRequest(id, new JobId(job), of.registration().endpoint(), "all", "0", profile, 1))));
        return new Held(id, new JobId(job), "0", profile);
    }

    private static LedgerState ledger(long hash, int slots) {
        return new LedgerState(hash, slots, slots, 0, 0);
    }

    private static long hash(ReplayedWorker worker, Held slot) {
        return LedgerHash.of(slot.allocation(), worker.id(), slot.job(), slot.profile());
    }

    @Test
    void reportsNothingWhenAllBooksAgree() {
        long hash = hash(a, grant(a, 1, "j0", SLOT)) + hash(b, grant(b, 2, "j1", SLOT));

        assertThatCode(() -> invariants.check(ledger(hash, 2), 2)).doesNotThrowAnyException();
        assertThatCode(() -> invariants.checkAll(List.of(a, b))).doesNotThrowAnyException();
        assertThat(invariants.steps()).isEqualTo(1);
    }

    @Test
    void noAllocationIsGivenOutTwice() {
        Held first = grant(a, 1, "j0", SLOT);
        assertThatThrownBy(() -> grant(b, 1, "j1", SLOT))
                .isInstanceOf(Invariants.Violation.class)
                .hasMessageContaining("P1: allocation 1-1 is given out by worker b for job j1");

        invariants.ended(a, a.free(first.allocation()));
        assertThatThrownBy(() -> grant(a, 1, "j0", SLOT))
                .as("not even after it has ended")
                .isInstanceOf(Invariants.Violation.class);
    }

    @Test
    void noWorkerGivesOutMoreThanItHas() {
        long hash = hash(a, grant(a, 1, "j0", SLOT)) + hash(a, grant(a, 2, "j0", Small.profile(2, 1, 0)));

        assertThatThrownBy(() -> invariants.check(ledger(hash, 2), 2))
                .isInstanceOf(Invariants.Violation.class)
                .hasMessageContaining("P1: worker a has given out 3000 of cpu and has 2000");
    }

    @Test
    void noAbsentWorkerGivesOutAnything() {
        a.end();

        assertThatThrownBy(() -> grant(a, 1, "j0", SLOT)).hasMessageContaining("P1: worker a is away");
    }

    @Test
    void jobsHaveWhatWorkersHaveGivenOut() {
        long hash = hash(a, grant(a, 1, "j0", SLOT));

        assertThatThrownBy(() -> invariants.check(ledger(hash, 1), 2))
                .hasMessageContaining("K: jobs have 2 slots and workers have given out 1");
    }

    @Test
    void theResourceManagerKnowsTheSameSlots() {
        Held slot = grant(a, 1, "j0", SLOT);

        assertThatThrownBy(() -> invariants.check(ledger(0, 0), 1))
                .hasMessageContaining("K: the ResourceManager knows 0 slots and workers have given out 1");
        assertThatThrownBy(() -> invariants.check(ledger(hash(b, slot), 1), 1))
                .as("the slot is on another worker")
                .hasMessageContaining("which are others");
    }

    @Test
    void aWorkerHasWhatItHasGivenOut() {
        Held slot = grant(a, 1, "j0", SLOT);
        a.free(slot.allocation());

        assertThatThrownBy(() -> invariants.checkAll(List.of(a, b)))
                .hasMessageContaining("K: workers have 0 slots and have given out 1");
    }
}

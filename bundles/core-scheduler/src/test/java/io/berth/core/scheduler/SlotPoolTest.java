package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.MainThread;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SlotPoolTest implements SlotPool.Listener {

    private final ManualTime time = new ManualTime();
    private final JobIdentity job = new JobIdentity(
            Jobs.wordCount(1, 4),
            new EndpointRef(
                    new RpcAddress("h", 1), EndpointName.JOB_MASTERS, new FencingToken(1, new UUID(0, 0))));
    private final SlotPool pool = new SlotPool(
            job,
            new JobThread(new MainThread("test", Runnable::run, time)),
            time,
            new FakePolicies(),
            SchedulerConfiguration.DEFAULTS);
    private final List<PoolSlot> lost = new ArrayList<>();

    @Override
    public void slotsAdded() {
        // Seen in the pool.
    }

    @Override
    public void slotsLost(List<PoolSlot> slots, String cause) {
        lost.addAll(slots);
    }

    private void require(int minimum, int desired) {
        pool.require(List.of(new GroupRequirement("default", SLOT, minimum, desired)));
    }

    private List<AllocationId> offer(String worker, int from, int to) {
        List<SlotOffer> offers = new ArrayList<>();
        for (int number = from; number <= to; number++) {
            offers.add(FakeWorker.offer(number, "default", SLOT));
        }
        return Harness.now(pool.offer(new WorkerId(worker), offers, id -> true, this));
    }

    @Test
    void spreadsSubtasksOverWorkersInTurn() {
        require(1, 4);
        offer("w1", 1, 3);
        offer("w2", 4, 4);
        assertThat(pool.reserve(new TreeMap<>(Map.of("default", 3))).orElseThrow().get("default"))
                .extracting(PoolSlot::allocation)
                .containsExactly(new AllocationId(1, 1), new AllocationId(1, 4), new AllocationId(1, 2));
    }

    @Test
    void reservesAllOrNone() {
        require(1, 4);
        offer("w1", 1, 2);
        assertThat(pool.reserve(new TreeMap<>(Map.of("default", 3)))).isEmpty();
        assertThat(pool.reserve(new TreeMap<>(Map.of("default", 2)))).isPresent();
        assertThat(pool.reserve(new TreeMap<>(Map.of("default", 1)))).isEmpty();
    }

    @Test
    void flip138_givesBackOnlyTheExcessAndOnlyWhenItHasBeenIdle() {
        require(1, 4);
        offer("w1", 1, 4);
        time.advance(60_000);
        assertThat(pool.removeIdle()).isEmpty();
        require(1, 3);
        assertThat(pool.removeIdle()).hasSize(1);
        assertThat(pool.count("default")).isEqualTo(3);
        pool.reserve(new TreeMap<>(Map.of("default", 3)));
        require(1, 1);
        assertThat(pool.removeIdle()).isEmpty();
        pool.releaseAll();
        assertThat(pool.removeIdle()).isEmpty();
        time.advance(10_000);
        assertThat(pool.removeIdle()).hasSize(2);
    }

    @Test
    void anUnknownNeedTakesTheSlotThatWasMadeForIt() {
        pool.require(List.of(new GroupRequirement("default", ResourceProfile.UNKNOWN, 1, 1)));
        assertThat(offer("w1", 1, 1)).hasSize(1);
        assertThat(pool.slots()).singleElement().satisfies(slot -> assertThat(slot.defaultSlot())
                .isTrue());
    }

    @Test
    void losesAllSlotsOfAWorkerAtOnce() {
        require(1, 4);
        offer("w1", 1, 2);
        offer("w2", 3, 4);
        pool.workerLost(new WorkerId("w1"), "killed", this);
        assertThat(lost).extracting(PoolSlot::allocation)
                .containsExactly(new AllocationId(1, 1), new AllocationId(1, 2));
        assertThat(pool.count("default")).isEqualTo(2);
        assertThat(pool.isMinimumFulfilled()).isTrue();
        assertThat(pool.isFulfilled()).isFalse();
    }
}

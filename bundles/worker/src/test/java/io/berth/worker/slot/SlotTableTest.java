package io.berth.worker.slot;

import static io.berth.worker.WorkerFixture.JOB;
import static io.berth.worker.WorkerFixture.ONE;
import static io.berth.worker.WorkerFixture.ref;
import static io.berth.worker.WorkerFixture.slot;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.time.MainThread;
import io.berth.spi.AllocationId;
import io.berth.worker.WorkerFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** The states of slots. Timers run even if they were canceled, as if they were already due at that time. */
class SlotTableTest {

    private final List<Runnable> timers = new ArrayList<>();
    private final List<AllocationId> timedOut = new ArrayList<>();
    private final MainThread mainThread = new MainThread(
            "worker w-1",
            Runnable::run,
            (delayMillis, action) -> {
                timers.add(action);
                return () -> {};
            },
            failure -> {
                throw new AssertionError(failure);
            });
    private final SlotTable table =
            new SlotTable(ONE.times(4), 4, mainThread, 10_000, slot -> timedOut.add(slot.allocation()));
    private final EndpointRef leader = ref(EndpointName.jobMaster(JOB), 1);

    private <T> T on(Callable<T> action) {
        return mainThread.call(action).toCompletableFuture().join();
    }

    private Slot allocated() {
        return on(() -> {
            assertThat(table.allocate(new SlotRequest(slot(1), JOB, leader, "all", "default", ONE, 5)))
                    .isEmpty();
            return table.slot(slot(1)).orElseThrow();
        });
    }

    private void become(Slot slot, Runnable change) {
        on(() -> {
            change.run();
            return slot.state();
        });
    }

    @Test
    void aTimerThatExpiresAfterItsSlotWasActivatedHasNoEffect() {
        Slot slot = allocated();
        become(slot, () -> table.activate(slot));
        timers.get(0).run();

        assertThat(timedOut).isEmpty();
    }

    @Test
    void aSlotGetsANewTimerWhenItsJobMasterIsLost() {
        Slot slot = allocated();
        become(slot, () -> table.activate(slot));
        become(slot, () -> table.await(JOB, leader));
        assertThat(slot.state()).isEqualTo(Slot.State.ALLOCATED);
        timers.get(0).run();
        assertThat(timedOut).as("the timer of its allocation was canceled").isEmpty();
        timers.get(1).run();

        assertThat(timedOut).containsExactly(slot(1));
    }

    @Test
    void aTimerThatExpiresWhileItsSlotIsReleasedHasNoEffect() {
        Slot slot = allocated();
        become(slot, () -> {
            slot.deployed(WorkerFixture.attempt(0));
            assertThat(table.free(slot, "not needed")).as("a task runs in it").isFalse();
        });
        timers.get(0).run();

        assertThat(timedOut).isEmpty();
        assertThat(slot.state()).isEqualTo(Slot.State.RELEASING);
    }

    @Test
    void aSlotThatIsReleasedUsesCapacityUntilItsLastTaskEnds() {
        Slot slot = allocated();
        become(slot, () -> {
            slot.deployed(WorkerFixture.attempt(0));
            table.free(slot, "not needed");
        });
        SlotRequest all = new SlotRequest(slot(2), JOB, leader, "all", "default", ONE.times(4), 5);
        assertThat(on(() -> table.allocate(all))).contains("free is {3 cpu");
        assertThat(on(() -> table.removeTask(slot(1), WorkerFixture.attempt(0))))
                .contains(slot);

        SlotRequest again = new SlotRequest(slot(3), JOB, leader, "all", "default", ONE.times(4), 5);
        assertThat(on(() -> table.allocate(again))).isEmpty();
    }
}

package io.berth.worker;

import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.ref;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.gateway.WorkerLeaves;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a worker keeps of the messages that it leaves, and reports to the next ResourceManager. */
class DepartureTest {

    private static final Optional<WorkerLeave> BY_ANN = Optional.of(new WorkerLeave(60_000, "drained by ann"));
    private static final Optional<WorkerLeave> SPOT = Optional.of(new WorkerLeave(600_000, "spot notice", true));

    private final WorkerFixture fixture = new WorkerFixture();

    private WorkerLeaves reported() {
        EndpointRef next = ref(EndpointName.RESOURCE_MANAGER, 2);
        fixture.rpc.connect(next, fixture.resourceManager);
        fixture.rpc.publish(next);
        now(fixture.worker.disconnectResourceManager(fixture.masterId, "lost the leadership"));
        fixture.time.advance(2_000);
        return fixture.resourceManager
                .registrations
                .get(fixture.resourceManager.registrations.size() - 1)
                .leaving();
    }

    private void leave(long number, Optional<WorkerLeave> drained, Optional<WorkerLeave> announced) {
        now(fixture.worker.leave(fixture.masterId, number, new WorkerLeaves(drained, announced)));
    }

    @Test
    void bothPartsAreReportedWithTheirOwnDeadline() {
        fixture.registered();
        leave(1, BY_ANN, SPOT);
        fixture.time.advance(1_000);
        WorkerLeaves reported = reported();
        assertThat(reported.drained().orElseThrow().reason()).isEqualTo("drained by ann");
        assertThat(reported.drained().orElseThrow().millis()).isBetween(56_000L, 59_000L);
        assertThat(reported.drained().orElseThrow().byBackend()).isFalse();
        assertThat(reported.announced().orElseThrow().reason()).isEqualTo("spot notice");
        assertThat(reported.announced().orElseThrow().millis()).isBetween(596_000L, 599_000L);
        assertThat(reported.announced().orElseThrow().byBackend()).isTrue();
    }

    @Test
    void aMessageReplacesBothParts() {
        fixture.registered();
        leave(1, BY_ANN, SPOT);
        leave(2, Optional.empty(), SPOT);
        assertThat(reported().drained()).isEmpty();
    }

    @Test
    void anEarlierMessageThatArrivesLaterHasNoEffect() {
        fixture.registered();
        leave(2, Optional.empty(), Optional.empty());
        leave(1, BY_ANN, Optional.empty());
        assertThat(reported()).isEqualTo(WorkerLeaves.NONE);
    }

    @Test
    void onlyTheResourceManagerWhereItIsRegisteredIsHeard() {
        fixture.registered();
        ResourceManagerId other =
                new ResourceManagerId(ref(EndpointName.RESOURCE_MANAGER, 9).token());
        WorkerFixture.fails(fixture.worker.leave(other, 1, new WorkerLeaves(BY_ANN, Optional.empty())), "registered");
        assertThat(reported()).isEqualTo(WorkerLeaves.NONE);
    }
}

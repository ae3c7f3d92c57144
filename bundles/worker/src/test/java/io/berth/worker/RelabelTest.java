package io.berth.worker;

import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.ref;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Labels that operators give to a worker, and with which it registers. */
class RelabelTest {

    private final WorkerFixture fixture = new WorkerFixture();

    private void relabel(EndpointRef from, long number, String zone) {
        now(fixture.worker.relabel(
                new ResourceManagerId(from.token()), number, WorkerLabels.of(new TreeMap<>(Map.of("zone", zone)))));
    }

    /** The labels with which it registers at the next ResourceManager. */
    private Map<String, String> reportedTo(EndpointRef next, EndpointRef before) {
        fixture.rpc.connect(next, fixture.resourceManager);
        fixture.rpc.publish(next);
        now(fixture.worker.disconnectResourceManager(new ResourceManagerId(before.token()), "lost the leadership"));
        fixture.time.advance(2_000);
        return fixture.resourceManager
                .registrations
                .get(fixture.resourceManager.registrations.size() - 1)
                .attributes()
                .labels();
    }

    @Test
    void theLabelsOfTheHighestNumberStayHoweverTheMessagesArrive() {
        fixture.registered();
        relabel(fixture.master, 2, "b");
        relabel(fixture.master, 1, "a");
        assertThat(reportedTo(ref(EndpointName.RESOURCE_MANAGER, 2), fixture.master))
                .isEqualTo(Map.of("zone", "b"));
    }

    @Test
    void theNextResourceManagerCountsAnew() {
        fixture.registered();
        relabel(fixture.master, 7, "a");
        EndpointRef next = ref(EndpointName.RESOURCE_MANAGER, 2);
        assertThat(reportedTo(next, fixture.master)).isEqualTo(Map.of("zone", "a"));
        relabel(next, 1, "b");
        assertThat(reportedTo(ref(EndpointName.RESOURCE_MANAGER, 3), next)).isEqualTo(Map.of("zone", "b"));
    }
}

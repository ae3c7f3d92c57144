package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.edge;
import static io.berth.core.scheduler.Jobs.graph;
import static io.berth.core.scheduler.Jobs.vertex;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ReasonCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job runs only at a parallelism for which its workers have enough network memory. */
class NetworkMemoryTest {

    private final Harness harness = new Harness();

    private FakeWorker worker(String name, int maxChannelEnds) {
        FakeWorker worker = new FakeWorker(harness.rpc, harness.jobMaster(), name, 1);
        worker.maxChannelEnds = maxChannelEnds;
        worker.register();
        harness.workers.add(worker);
        return worker;
    }

    private List<Integer> parallelism() {
        return harness.details().vertices().stream()
                .map(VertexDetails::parallelism)
                .toList();
    }

    @Test
    void runsAtTheHighestParallelismThatTheNetworkMemoryAllowsAndReportsTheLimit() {
        harness.start(wordCount(1, 4));
        worker("w1", 12).offer(1, 4, "default", SLOT);

        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(parallelism()).containsExactly(3, 3, 3, 3);
        assertThat(harness.details().reason())
                .isEqualTo("parallelism bounded to 3 by the network memory of worker w1: at 4 the job needs 16 ends of"
                        + " channels there, and its slots have 12; raise network.memory.bytes of the workers to 1.4 times"
                        + " as much, or spread the slots over more workers");
    }

    @Test
    void isNotRestartedForAParallelismThatTheNetworkMemoryDoesNotAllow() {
        harness.start(wordCount(1, 4));
        worker("w1", 12).offer(1, 4, "default", SLOT);
        harness.time.advance(600_000);
        assertThat(harness.details().rescales()).isZero();
    }

    @Test
    void aSlotUsesOnlyItsShareOfTheNetworkMemory() {
        harness.start(wordCount(1, 2));
        worker("w1", 6).offer(1, 2, "default", SLOT);
        assertThat(parallelism()).as("2 of 4 slots have 3 of 6 channel ends").containsExactly(1, 1, 1, 1);
    }

    @Test
    void countsTheEndsOfConsumersOnOtherWorkers() {
        harness.start(wordCount(1, 4));
        FakeWorker first = worker("w1", 23);
        FakeWorker second = worker("w2", 24);
        first.offer(1, 2, "default", SLOT);
        second.offer(3, 4, "default", SLOT);
        // At 4 each worker has 2 producers with 4 ends each, and 2 consumers with 2 ends each: 12, of which it has 11.
        assertThat(parallelism()).containsExactly(3, 3, 3, 3);
        assertThat(harness.details().reason()).contains("worker w1: at 4 the job needs 12 ends", "slots have 11;");
    }

    @Test
    void workersWithoutABoundDoNotLimitAnything() {
        harness.start(wordCount(1, 4));
        worker("w1", 0).offer(1, 4, "default", SLOT);
        assertThat(parallelism()).containsExactly(4, 4, 4, 4);
        assertThat(harness.details().reason()).isEmpty();
    }

    @Test
    void aJobWhoseMinimumNeedsMoreNetworkMemoryWaitsAndReportsTheReason() {
        harness.start(wordCount(4, 4));
        worker("w1", 12).offer(1, 4, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        assertThat(harness.details().waiting().current().code()).isEqualTo(ReasonCode.NOT_FEASIBLE);
        assertThat(harness.details().reason())
                .contains(
                        "no parallelism is possible with the network memory of worker w1: at 4 the job needs 16",
                        "have 12",
                        "to 1.4 times as much");
    }

    @Test
    void keepsTheMinimumOfEachVertexAndEqualParallelismOnForwardEdges() {
        harness.start(graph(
                List.of(
                        vertex("source", 2, 4, "default"),
                        vertex("map", 3, 4, "default"),
                        vertex("sum", 1, 4, "default")),
                List.of(edge("source", "map", Partitioning.FORWARD), edge("map", "sum", Partitioning.HASH))));
        worker("w1", 5).offer(1, 4, "default", SLOT);
        // With 3 slots of 4 it has 3 ends of 5: enough for one consumer of three producers.
        assertThat(parallelism()).containsExactly(3, 3, 1);
    }
}

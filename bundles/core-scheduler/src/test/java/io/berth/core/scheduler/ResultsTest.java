package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.graph;
import static io.berth.core.scheduler.Jobs.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.JobUnit;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two vertices read the results of three subtasks, of which two ran on worker a. */
class ResultsTest {

    private static final WorkerId A = new WorkerId("a");
    private static final WorkerId B = new WorkerId("b");
    private static final EndpointRef REF = new EndpointRef(
            new RpcAddress("127.0.0.1", 1), EndpointName.DISPATCHER, new FencingToken(1, new UUID(0, 1)));
    private static final JobUnit READ = JobUnit.of(graph(
                    List.of(
                            vertex("read", 3, 3, "default"),
                            vertex("one", 1, 1, "default"),
                            vertex("two", 1, 1, "default")),
                    List.of(stored("one"), stored("two"))))
            .get(0);

    private final Results results = new Results(worker -> worker + ":9000");

    private static JobEdge stored(String to) {
        return new JobEdge("read", to, Partitioning.REBALANCE, Exchange.BLOCKING);
    }

    private static ExecutionGraph execution(long number) {
        List<PoolSlot> slots = IntStream.range(0, 3)
                .mapToObj(index -> new PoolSlot(
                        new AllocationId(1, index), index < 2 ? A : B, "default", "default", SLOT, false, 1))
                .toList();
        return new ExecutionGraph(
                new JobIdentity(READ, REF), number, List.of(3), new TreeMap<>(Map.of("default", slots)), 0, 60_000);
    }

    private List<Integer> counts() {
        return List.of(results.count(A), results.count(B));
    }

    @Test
    void countsTheStoredPartitionsThatAreThere() {
        assertThat(counts()).containsExactly(0, 0);
        results.produced(execution(1));
        assertThat(counts()).containsExactly(4, 2);
        results.produced(execution(2));
        assertThat(counts()).as("the earlier ones are replaced").containsExactly(4, 2);
        assertThat(results.lost(results.partitions(0).get(1).partition())).isTrue();
        assertThat(counts()).containsExactly(2, 1);
        assertThat(results.workerLost(B)).isEqualTo(Set.of(1));
        assertThat(counts()).containsExactly(0, 0);
        results.produced(execution(3));
        results.release(READ.outputs().subList(0, 1));
        assertThat(counts()).containsExactly(2, 1);
        results.release(READ.outputs());
        assertThat(counts()).containsExactly(0, 0);
    }

    @Test
    void resultsAreMissingWhenAWorkerSaysSoTwiceInARow() {
        assertThat(results.areMissingForSure(A, 4, 0)).isFalse();
        assertThat(results.areMissingForSure(A, 4, 1)).isFalse();
        assertThat(results.areMissingForSure(A, 4, 0)).isFalse();
        assertThat(results.areMissingForSure(B, 2, 0)).as("another worker").isFalse();
        assertThat(results.areMissingForSure(A, 0, 0))
                .as("it was asked when it had none")
                .isFalse();
        assertThat(results.areMissingForSure(A, 4, 0)).isFalse();
        assertThat(results.areMissingForSure(A, 4, 0)).isTrue();
    }
}

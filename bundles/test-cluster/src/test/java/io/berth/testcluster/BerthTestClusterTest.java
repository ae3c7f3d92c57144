package io.berth.testcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.client.JobDescription;
import io.berth.client.JobInfo;
import io.berth.client.JobStatus;
import io.berth.client.Partitioning;
import io.berth.core.dispatcher.bundle.OfferedOperator;
import io.berth.core.dispatcher.description.JobCatalog;
import io.berth.dataflow.api.Pair;
import io.berth.runtime.dataflow.builtin.BuiltInOperators;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BerthTestClusterTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int SPLITS = 8;

    private final Queue<Pair<Long, Long>> received = new ConcurrentLinkedQueue<>();

    private BerthTestCluster.Builder cluster(CountDownLatch gate) {
        return BerthTestCluster.builder()
                .operator("numbers", Numbers.source(SPLITS, gate))
                .keyedOperator("sums", Numbers.sums())
                .operator("list", Numbers.list(received));
    }

    private static JobDescription sums() {
        return JobDescription.named("sums")
                .vertex("read", "numbers", v -> v.parallelism(1, 2))
                .vertex("sum", "sums", v -> v.parallelism(1, 4))
                .vertex("list", "list")
                .edge("read", "sum", Partitioning.HASH)
                .edge("sum", "list", Partitioning.REBALANCE)
                .build();
    }

    private void assertSums() {
        Map<Long, Long> expected = LongStream.range(0, SPLITS * 100L)
                .boxed()
                .collect(Collectors.groupingBy(number -> number % 10, Collectors.summingLong(number -> number)));
        assertThat(received.stream().collect(Collectors.toMap(Pair::first, Pair::second)))
                .isEqualTo(expected);
    }

    @Test
    void runsAJobOverTwoWorkers() throws Exception {
        try (BerthTestCluster cluster = cluster(new CountDownLatch(0)).start()) {
            JobInfo end = cluster.run(sums(), LONG);
            assertThat(end.status()).as(end.reason()).isEqualTo(JobStatus.FINISHED);
            assertThat(end.vertex("read").recordsOut()).isEqualTo(SPLITS * 100L);
        }
        assertSums();
    }

    @Test
    void aJobGoesOnWithoutAWorkerThatIsKilled() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (BerthTestCluster cluster = cluster(gate).slots(4).start()) {
            TestJob job = cluster.submit(sums());
            job.awaitRunning(LONG);
            cluster.killWorker("worker-1");
            cluster.killWorker("worker-2");
            cluster.addWorker();
            job.await(info -> info.restarts() > 0 && info.status() == JobStatus.EXECUTING, LONG);
            gate.countDown();
            assertThat(job.awaitEnd(LONG).status()).isEqualTo(JobStatus.FINISHED);
        }
        assertSums();
    }

    @Test
    void aJobIsScaledWhileItRuns() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (BerthTestCluster cluster = cluster(gate).start()) {
            TestJob job = cluster.submit(sums());
            int before = job.await(info -> info.vertex("sum").parallelism() == 4, LONG)
                    .rescales();
            job.scale("sum", 1, 2);
            job.await(info -> info.vertex("sum").parallelism() == 2, LONG);
            gate.countDown();
            JobInfo end = job.awaitEnd(LONG);
            assertThat(end.status()).as(end.reason()).isEqualTo(JobStatus.FINISHED);
            assertThat(end.rescales()).isEqualTo(before + 1);
        }
        assertSums();
    }

    @Test
    void operatorsHaveTwoInputsAndSideOutputs() throws Exception {
        Queue<Long> first = new ConcurrentLinkedQueue<>();
        Queue<Long> second = new ConcurrentLinkedQueue<>();
        try (BerthTestCluster cluster = BerthTestCluster.builder()
                .operator("both", new Numbers.Both())
                .sideOutputs("both", "second")
                .operator("first", Numbers.list(first))
                .operator("second", Numbers.list(second))
                .start()) {
            JobDescription job = JobDescription.named("both")
                    .vertex("a", "generator", v -> v.set("records", 10))
                    .vertex("b", "generator", v -> v.set("records", 5).set("start", 100))
                    .vertex("both", "both")
                    .vertex("first", "first")
                    .vertex("second", "second")
                    .edge("a", "both", Partitioning.REBALANCE)
                    .edge("b", "both", Partitioning.REBALANCE, e -> e.input(2))
                    .edge("both", "first", Partitioning.REBALANCE)
                    .edge("both", "second", Partitioning.REBALANCE, e -> e.output("second"))
                    .build();
            JobInfo end = cluster.run(job, LONG);
            assertThat(end.status()).as(end.reason()).isEqualTo(JobStatus.FINISHED);
        }
        assertThat(first).hasSize(10).allMatch(number -> number < 10);
        assertThat(second).hasSize(5).allMatch(number -> number >= 100);
    }

    @Test
    void takesDescriptionsOfAnyFormWithTheirOwnBundles() throws Exception {
        for (String description : List.of(
                """
                  name: indented
                  bundles:
                  - file:target/words.jar
                  vertices:
                  - {name: read, operator: numbers}
                  - {name: list, operator: print-sink, configuration: {limit: 1}}
                  edges:
                  - {from: read, to: list, partitioning: rebalance}
                """.indent(2),
                "{name: flow, vertices: [{name: read, operator: numbers}, {name: list, operator: print-sink}],"
                        + " edges: [{from: read, to: list, partitioning: rebalance}]}")) {
            try (BerthTestCluster cluster =
                    cluster(new CountDownLatch(0)).workers(1).start()) {
                JobInfo end = cluster.run(JobDescription.of(description), LONG);
                assertThat(end.status()).as(end.reason()).isEqualTo(JobStatus.FINISHED);
            }
        }
    }

    @Test
    void aGroupOfItsOwnSizeFitsWorkersOfThatSize() throws Exception {
        JobDescription job = JobDescription.named("sized")
                .vertex("read", "numbers", v -> v.group("large"))
                .vertex("list", "print-sink", v -> v.group("large"))
                .edge("read", "list", Partitioning.FORWARD)
                .group("large", g -> g.size(2, "512m"))
                .build();
        try (BerthTestCluster cluster =
                cluster(new CountDownLatch(0)).slotSize(2, 512L << 20).start()) {
            assertThat(cluster.run(job, LONG).status()).isEqualTo(JobStatus.FINISHED);
        }
    }

    @Test
    void doesNotWaitForAJobThatHasEnded() throws Exception {
        try (BerthTestCluster cluster = cluster(new CountDownLatch(0)).start()) {
            TestJob job = cluster.submit(sums());
            job.awaitEnd(LONG);
            // The test would not end, because no test waits for so long.
            assertThatThrownBy(() -> job.await(info -> info.restarts() > 0, Duration.ofDays(1)))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("has ended")
                    .hasMessageContaining("FINISHED");
        }
    }

    @Test
    void hasAllOperatorsThatItsDispatcherAccepts() {
        assertThat(BuiltInOperators.all().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        JobCatalog.BUILT_IN.stream().map(OfferedOperator::name).toList());
    }

    @Test
    void itsWorkersHaveRegisteredAndClosingAgainDoesNothing() {
        BerthTestCluster cluster = cluster(new CountDownLatch(0)).start();
        assertThat(cluster.workers()).containsExactly("worker-1", "worker-2");
        assertThat(cluster.addWorker()).isEqualTo("worker-3");
        cluster.close();
        cluster.close();
        assertThatThrownBy(cluster::addWorker).hasMessage("the test cluster is closed");
    }

    @Test
    void refusesABuilderThatIsWrong() {
        BerthTestCluster.Builder builder = BerthTestCluster.builder();
        assertThatThrownBy(() -> builder.workers(-1)).hasMessageContaining("workers is -1");
        assertThatThrownBy(() -> builder.slotSize(0, 1)).hasMessageContaining("a slot of 0.0 CPU");
        assertThatThrownBy(() -> builder.stabilization(Duration.ofMillis(-1))).hasMessageContaining("stabilization");
        builder.sideOutputs("none", "late");
        assertThatThrownBy(builder::start).hasMessageContaining("side outputs of 'none'");
    }

    @Test
    void saysAllThatIsWrongWithADescription() {
        try (BerthTestCluster cluster = cluster(new CountDownLatch(0)).start()) {
            assertThatThrownBy(() -> cluster.submit(JobDescription.of("""
                            name: wrong
                            vertices:
                            - {name: read, operator: nubers}
                            - {name: list, operator: list, parallelism: 0}
                            edges:
                            - {from: read, to: list, partitioning: rebalance}
                            """)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("did you mean 'numbers'?")
                    .hasMessageContaining("vertices[1].parallelism");
            assertThatThrownBy(() -> cluster.killWorker("worker-9"))
                    .hasMessage("there is no worker 'worker-9': there are [worker-1, worker-2]");
        }
    }
}

package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.graph;
import static io.berth.core.scheduler.Jobs.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The largest job, with each vertex a unit of its own, on a few slots. */
class ManyUnitsTest {

    private static final int UNITS = 1_000;
    /** Of a layer, more than may run at a time. */
    private static final int WIDTH = 200;

    private static final int MAX_RUNNING = 100;
    private static final int SLOTS = 4;

    private final Harness harness = new Harness();
    private final List<JobEdge> edges = new ArrayList<>();

    private static JobEdge stored(String from, String to) {
        return new JobEdge(from, to, Partitioning.REBALANCE, Exchange.BLOCKING);
    }

    /** Layers of vertices, each of which reads two results of the layer before. */
    private void start() {
        Random random = new Random(11);
        List<JobVertex> vertices = new ArrayList<>();
        for (int number = 0; number < UNITS; number++) {
            String name = "v" + number;
            vertices.add(vertex(name, 1, 1, "default"));
            if (number >= WIDTH) {
                int same = number - WIDTH;
                int other = number / WIDTH * WIDTH - WIDTH + random.nextInt(WIDTH);
                Set.of(same, other == same ? same / WIDTH * WIDTH + (same + 1) % WIDTH : other)
                        .forEach(from -> edges.add(stored("v" + from, name)));
            }
        }
        harness.start(graph(vertices, edges));
    }

    private List<String> declared() {
        return harness.resourceManager.lastDeclaration().units().stream()
                .map(UnitRequirement::unit)
                .toList();
    }

    private boolean hasInputs(String unit, Set<String> ended) {
        return edges.stream().filter(edge -> edge.to().equals(unit)).allMatch(edge -> ended.contains(edge.from()));
    }

    private static boolean isRunning(FakeWorker worker, String unit) {
        return worker.tasks.keySet().stream()
                .anyMatch(attempt -> attempt.chain().equals(unit));
    }

    @Test
    void theStatusIsReportedAtOnceAndOtherChangesTenTimesASecond() {
        harness.start(graph(
                List.of(vertex("a", 1, 1, "default"), vertex("b", 1, 1, "default"), vertex("c", 1, 1, "default")),
                List.of(stored("a", "c"), stored("b", "c"))));
        FakeWorker worker = harness.worker("w1");
        worker.offer(FakeWorker.offer(1, "a", "default", SLOT));
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.EXECUTING);
        worker.offer(FakeWorker.offer(2, "b", "default", SLOT));
        worker.update(harness.attempt("a", 0, 1), TaskState.FINISHED);
        harness.time.advance(99);
        assertThat(finished(harness.lastReport())).isEmpty();
        harness.time.advance(1);
        assertThat(finished(harness.lastReport())).containsExactly("a");
        worker.update(harness.attempt("b", 0, 1), TaskState.FINISHED);
        harness.time.advance(1);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        assertThat(finished(harness.lastReport())).containsExactly("a", "b");
    }

    @Test
    void anotherDispatcherGetsAReportAlthoughThePreviousOneJustHadOne() {
        JobGraph job =
                graph(List.of(vertex("a", 1, 1, "default"), vertex("b", 1, 1, "default")), List.of(stored("a", "b")));
        harness.start(job);
        harness.worker("w1").offer(FakeWorker.offer(1, "a", "default", SLOT));
        FakeDispatcher next = new FakeDispatcher();
        EndpointRef leader = harness.rpc
                .serve(EndpointName.DISPATCHER, new FencingToken(2, new UUID(0, 3)), next)
                .endpoint();
        Harness.now(harness.jobMasters.startJob(new JobStart(job, 5, leader)));
        assertThat(next.lastReport().status()).isEqualTo(JobStatus.EXECUTING);
    }

    private static List<String> finished(JobDetails job) {
        return job.vertices().stream()
                .filter(vertex -> vertex.finished() > 0)
                .map(VertexDetails::name)
                .toList();
    }

    @Test
    void aThousandUnitsRunOnFourSlots() {
        start();
        FakeWorker worker = harness.worker("w1");
        Set<String> ended = new HashSet<>();
        int slots = 0;
        int mostDeclared = 0;
        while (harness.lastReport().status() != JobStatus.FINISHED) {
            List<String> declared = declared();
            mostDeclared = Math.max(mostDeclared, declared.size());
            assertThat(declared).isNotEmpty().allMatch(unit -> hasInputs(unit, ended) && !ended.contains(unit));
            for (String unit : declared) {
                if (worker.tasks.size() < SLOTS && !isRunning(worker, unit)) {
                    assertThat(worker.offer(FakeWorker.offer(++slots, unit, "default", SLOT)))
                            .hasSize(1);
                }
            }
            List<AttemptId> running = List.copyOf(worker.tasks.keySet());
            for (AttemptId attempt : running.subList(0, Math.max(1, running.size() - 1))) {
                worker.update(attempt, TaskState.FINISHED);
                ended.add(attempt.chain());
            }
            harness.time.advance(1);
        }
        assertThat(mostDeclared).isEqualTo(MAX_RUNNING);
        assertThat(worker.deployments.keySet())
                .hasSize(UNITS)
                .allMatch(attempt -> attempt.execution() == 1 && attempt.restart() == 0);
        assertThat(harness.lastReport().vertices())
                .extracting(VertexDetails::finished)
                .containsOnly(1);
        assertThat(worker.released).hasSameSizeAs(edges);
        assertThat(worker.freed).as("all but the last, which ends with the job").hasSize(UNITS - 1);
        assertThat(harness.dispatcher.reports).as("each is long").hasSizeLessThan(UNITS / 10);
        assertThat(harness.failures).isEmpty();
    }
}

package io.berth.core.scheduler.job;

import static io.berth.core.scheduler.Jobs.graph;
import static io.berth.core.scheduler.Jobs.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.scheduler.job.JobUnit.BlockingEdge;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobUnitTest {

    private static JobEdge pipelined(String from, String to) {
        return new JobEdge(from, to, Partitioning.HASH);
    }

    private static JobEdge blocking(String from, String to) {
        return new JobEdge(from, to, Partitioning.HASH, Exchange.BLOCKING);
    }

    private static JobGraph job(String vertices, JobEdge... edges) {
        return graph(
                Stream.of(vertices.split(""))
                        .map(name -> vertex(name, 1, 1, "default"))
                        .toList(),
                List.of(edges));
    }

    private static List<String> units(JobGraph job) {
        return JobUnit.of(job).stream()
                .map(unit -> String.join(
                        "",
                        unit.graph().vertices().stream().map(JobVertex::name).toList()))
                .toList();
    }

    @Test
    void aJobWithoutBlockingEdgesIsOneUnit() {
        JobGraph job = job("abcd", pipelined("a", "b"), pipelined("c", "d"));
        assertThat(JobUnit.of(job)).containsExactly(JobUnit.whole(job));
        assertThat(JobUnit.of(job).get(0).graph()).isSameAs(job);
    }

    @Test
    void blockingEdgesDivideAJob() {
        JobGraph job = job("abcde", pipelined("a", "b"), blocking("b", "c"), pipelined("c", "d"), blocking("b", "e"));
        assertThat(units(job)).containsExactly("ab", "cd", "e");
        JobUnit middle = JobUnit.of(job).get(1);
        assertThat(middle.name()).isEqualTo("c");
        assertThat(middle.edges()).containsExactly(2);
        assertThat(middle.inputs()).extracting(BlockingEdge::number).containsExactly(1);
        assertThat(middle.outputs()).isEmpty();
        assertThat(JobUnit.of(job).get(0).outputs())
                .extracting(BlockingEdge::number)
                .containsExactly(1, 3);
    }

    @Test
    void unitsThatDependOnEachOtherAreOne() {
        // a and d exchange records, and so do b and c: each would wait for the other.
        JobGraph job = job("abcd", pipelined("a", "d"), pipelined("b", "c"), blocking("a", "b"), blocking("c", "d"));
        assertThat(units(job)).containsExactly("abcd");
        assertThat(JobUnit.of(job).get(0).graph().edges()).noneMatch(JobEdge::isBlocking);
    }

    @Test
    void aBlockingEdgeWithinAUnitIsPipelined() {
        JobGraph job = job("abcd", pipelined("a", "c"), blocking("a", "b"), pipelined("b", "c"), blocking("c", "d"));
        assertThat(units(job)).containsExactly("abc", "d");
        assertThat(JobUnit.of(job).get(0).graph().edges()).hasSize(3).noneMatch(JobEdge::isBlocking);
    }

    @Test
    void aProducerWritesForAnyParallelismOfItsConsumers() {
        JobEdge broadcast = new JobEdge("a", "b", Partitioning.BROADCAST, Exchange.BLOCKING);
        BlockingEdge byKey = new BlockingEdge(0, blocking("a", "b"), vertex("a", 1, 1, "g"), vertex("b", 1, 1, "g"));
        BlockingEdge toAll = new BlockingEdge(0, broadcast, vertex("a", 1, 1, "g"), vertex("b", 1, 1, "g"));
        assertThat(byKey.parts()).isEqualTo(128);
        assertThat(toAll.parts()).isEqualTo(1);
    }

    @Test
    void theUnitsOfRandomJobsAreThoseOfAnIndependentComputation() {
        Random random = new Random(16);
        for (int round = 0; round < 2_000; round++) {
            int size = 2 + random.nextInt(9);
            List<JobVertex> vertices = new ArrayList<>();
            for (int vertex = 0; vertex < size; vertex++) {
                vertices.add(vertex("v" + vertex, 1, 1, "default"));
            }
            List<JobEdge> edges = new ArrayList<>();
            boolean[][] reaches = new boolean[size][size];
            for (int from = 0; from < size; from++) {
                reaches[from][from] = true;
                for (int to = from + 1; to < size; to++) {
                    if (random.nextInt(3) == 0) {
                        boolean stored = random.nextBoolean();
                        edges.add(stored ? blocking("v" + from, "v" + to) : pipelined("v" + from, "v" + to));
                        reaches[from][to] = true;
                        reaches[to][from] |= !stored;
                    }
                }
            }
            for (int over = 0; over < size; over++) {
                for (int from = 0; from < size; from++) {
                    for (int to = 0; to < size; to++) {
                        reaches[from][to] |= reaches[from][over] && reaches[over][to];
                    }
                }
            }
            JobGraph job = graph(vertices, edges);
            boolean divided = edges.stream().anyMatch(JobEdge::isBlocking);
            Set<String> before = new HashSet<>();
            for (JobUnit unit : JobUnit.of(job)) {
                List<String> names =
                        unit.graph().vertices().stream().map(JobVertex::name).toList();
                int first = Integer.parseInt(names.get(0).substring(1));
                for (int other = 0; other < size; other++) {
                    assertThat(names.contains("v" + other))
                            .as("v%s and v%s of %s", first, other, edges)
                            .isEqualTo(!divided || reaches[first][other] && reaches[other][first]);
                }
                assertThat(unit.inputs())
                        .as("topological order")
                        .allMatch(edge -> before.contains(edge.from().name()));
                before.addAll(names);
            }
            assertThat(before).hasSize(size);
        }
    }
}

package io.berth.core.scheduler.execution;

import static io.berth.core.scheduler.Jobs.edge;
import static io.berth.core.scheduler.Jobs.graph;
import static io.berth.core.scheduler.Jobs.vertex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.berth.core.api.FencingToken;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskDeployment.Output;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.Jobs;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.JobUnit;
import io.berth.core.scheduler.job.Requirements;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ExecutionGraphTest {

    private static final EndpointRef REF =
            new EndpointRef(new RpcAddress("h", 1), EndpointName.DISPATCHER, new FencingToken(1, new UUID(0, 0)));

    private static List<List<String>> chains(JobGraph graph, Integer... parallelism) {
        return JobChain.of(JobUnit.whole(graph), List.of(parallelism)).stream()
                .map(chain -> chain.vertices().stream().map(JobVertex::name).toList())
                .toList();
    }

    @Test
    void chainsForwardEdgesOfEqualParallelism() {
        assertThat(chains(Jobs.wordCount(1, 2), 2, 2, 2, 2))
                .containsExactly(List.of("source", "split"), List.of("count", "sink"));
    }

    private static JobVertex process(String name, int parallelism, String... configuration) {
        SortedMap<String, String> settings = new TreeMap<>();
        for (int at = 0; at < configuration.length; at += 2) {
            settings.put(configuration[at], configuration[at + 1]);
        }
        return new JobVertex(
                name, "process", "process", parallelism, parallelism, parallelism, 128, "default", settings);
    }

    @Test
    void tasksWithARendezvousAreOneRegionAndMeetAtSubtask0() {
        JobIdentity job =
                job(graph(List.of(process("train", 3), process("alone", 3, "rendezvous", "false")), List.of()));
        ExecutionGraph execution = execution(job, List.of(3, 3));
        TaskDeployments deployments = new TaskDeployments(job, REF, execution, worker -> "[::1]:7002", Map.of());
        List<ExecutionTask> train = execution.tasks(execution.chainOf("train"));
        List<ExecutionTask> alone = execution.tasks(execution.chainOf("alone"));

        assertThat(execution.regions()).isEqualTo(4);
        assertThat(execution.region(execution.regionOf(train.get(2)))).containsExactlyElementsOf(train);
        assertThat(alone).extracting(execution::regionOf).doesNotHaveDuplicates();
        assertThat(execution.tasksInOrder())
                .extracting(task -> deployments.of(task).runtime())
                .containsOnly("process");
        Set<String> addresses = new TreeSet<>();
        train.forEach(task -> addresses.add(deployments.of(task).rendezvous()));
        assertThat(addresses).singleElement().asString().matches("\\[::1]:2[0-9]{4}");
        assertThat(alone).extracting(task -> deployments.of(task).rendezvous()).containsOnly("");

        train.forEach(ExecutionTask::canceled);
        ExecutionTask again = execution.restart(train, 7).get(1);
        assertThat(new TaskDeployments(job, REF, execution, worker -> "[::1]:7002", Map.of())
                        .of(again)
                        .rendezvous())
                .as("another address with each attempt")
                .isNotIn(addresses)
                .startsWith("[::1]:2");
        assertThat(new TaskDeployments(job, REF, execution, worker -> "", Map.of())
                        .of(again)
                        .rendezvous())
                .as("the worker is gone")
                .isEmpty();
    }

    @Test
    void doesNotChainAcrossGroups() {
        JobGraph graph = graph(
                List.of(vertex("a", 1, 1, "left"), vertex("b", 1, 1, "right")),
                List.of(edge("a", "b", Partitioning.FORWARD)));
        assertThat(chains(graph, 1, 1)).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void doesNotChainVerticesOfDifferentNumbersOfKeyGroups() {
        JobGraph graph = graph(
                List.of(
                        new JobVertex("a", "a-operator", 2, 2, 2, 128, "g", new TreeMap<>()),
                        new JobVertex("b", "b-operator", 2, 2, 2, 64, "g", new TreeMap<>())),
                List.of(edge("a", "b", Partitioning.FORWARD)));
        assertThat(chains(graph, 2, 2)).containsExactly(List.of("a"), List.of("b"));
        JobIdentity job = job(graph);
        ExecutionGraph execution = execution(job, List.of(2, 2));
        TaskDeployments deployments = new TaskDeployments(job, REF, execution, worker -> "", Map.of());
        assertThat(execution.tasksInOrder())
                .extracting(task -> deployments.of(task).maxParallelism())
                .containsExactly(128, 128, 64, 64);
    }

    @Test
    void doesNotChainAConsumerOfTwoInputs() {
        JobGraph graph = graph(
                List.of(vertex("a", 1, 1, "g"), vertex("b", 1, 1, "g"), vertex("c", 1, 1, "g")),
                List.of(edge("a", "c", Partitioning.FORWARD), edge("b", "c", Partitioning.REBALANCE)));
        assertThat(chains(graph, 1, 1, 1)).containsExactly(List.of("a"), List.of("b"), List.of("c"));
    }

    @Test
    void doesNotChainAProducerOfTwoOutputs() {
        JobGraph graph = graph(
                List.of(vertex("a", 1, 1, "g"), vertex("b", 1, 1, "g"), vertex("c", 1, 1, "g")),
                List.of(edge("a", "b", Partitioning.FORWARD), edge("a", "c", Partitioning.BROADCAST)));
        assertThat(chains(graph, 1, 1, 1)).containsExactly(List.of("a"), List.of("b"), List.of("c"));
    }

    @Test
    void doesNotChainOtherPartitionings() {
        JobGraph graph = graph(
                List.of(vertex("a", 1, 1, "g"), vertex("b", 1, 1, "g")),
                List.of(edge("a", "b", Partitioning.REBALANCE)));
        assertThat(chains(graph, 1, 1)).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void lowersAPathOfForwardEdgesToOneParallelism() {
        JobGraph graph = graph(
                List.of(vertex("a", 1, 4, "g"), vertex("b", 1, 4, "g"), vertex("c", 1, 4, "h")),
                List.of(edge("a", "b", Partitioning.FORWARD), edge("b", "c", Partitioning.FORWARD)));
        assertThat(Requirements.alignForward(graph, List.of(4, 3, 2), Math::min))
                .containsExactly(2, 2, 2);
    }

    @Test
    void aGroupNeedsAsManySlotsAsItsHighestParallelism() {
        JobGraph graph =
                graph(List.of(vertex("a", 1, 4, "g"), vertex("b", 2, 3, "g"), vertex("c", 1, 1, "h")), List.of());
        assertThat(Requirements.of(graph, List.of(4, 3, 1)))
                .extracting(group -> group.group() + " " + group.minimum() + ":" + group.desired())
                .containsExactly("g 2:4", "h 1:1");
    }

    private static JobIdentity job(JobGraph graph) {
        return new JobIdentity(graph, REF);
    }

    private static ExecutionGraph execution(JobIdentity job, List<Integer> parallelism) {
        SortedMap<String, List<PoolSlot>> slots = new TreeMap<>();
        ExecutionGraph.slotsNeeded(job, parallelism).forEach((group, count) -> {
            List<PoolSlot> list = new ArrayList<>();
            for (int index = 0; index < count; index++) {
                list.add(new PoolSlot(
                        new AllocationId(1, index), new WorkerId("w" + index), group, group, Jobs.SLOT, false, 1));
            }
            slots.put(group, list);
        });
        return new ExecutionGraph(job, 5, parallelism, slots, 0, 60_000);
    }

    private static boolean all(ExecutionGraph execution, TaskState... states) {
        return execution.tasks().stream().allMatch(task -> List.of(states).contains(task.state()));
    }

    @Test
    void countsAgreeWithTheStatesOfTheTasks() {
        ExecutionGraph execution = execution(job(Jobs.wordCount(1, 3)), List.of(2, 2, 3, 3));
        execution.tasks().forEach(ExecutionTask::deploying);
        List<TaskState> goal = List.of(
                TaskState.FINISHED,
                TaskState.FAILED,
                TaskState.READY_TO_COMMIT,
                TaskState.CANCELED,
                TaskState.READY_TO_COMMIT);
        for (int rounds = 0; rounds < 3; rounds++) {
            int index = 0;
            for (ExecutionTask task : execution.tasksInOrder()) {
                switch (rounds) {
                    case 0 -> task.apply(TaskUpdates.of(task, TaskState.RUNNING));
                    case 1 -> task.apply(TaskUpdates.of(task, goal.get(index++)));
                    default -> task.finished();
                }
                assertThat(execution.isEnded())
                        .isEqualTo(all(execution, TaskState.FINISHED, TaskState.FAILED, TaskState.CANCELED));
                assertThat(execution.isFinished()).isEqualTo(all(execution, TaskState.FINISHED));
                assertThat(execution.isReadyToCommit())
                        .isEqualTo(all(execution, TaskState.FINISHED, TaskState.READY_TO_COMMIT));
                assertThat(execution.isDrained())
                        .isEqualTo(execution.tasks().stream()
                                .filter(each -> each.chain().isSource())
                                .allMatch(each -> List.of(TaskState.FINISHED, TaskState.READY_TO_COMMIT)
                                        .contains(each.state())));
            }
        }
        assertThat(execution.isFinished()).isTrue();
    }

    @Test
    void storedResultsAreInputThatIsLeftToRead() {
        JobGraph graph = graph(
                List.of(vertex("a", 1, 1, "g"), vertex("b", 1, 1, "g"), vertex("c", 1, 1, "g")),
                List.of(
                        new JobEdge("a", "c", Partitioning.HASH, Exchange.BLOCKING),
                        edge("b", "c", Partitioning.HASH)));
        JobUnit unit = JobUnit.of(graph).stream()
                .filter(each -> each.contains("c"))
                .findFirst()
                .orElseThrow();
        ExecutionGraph execution = execution(new JobIdentity(unit, REF), List.of(1, 1));
        ExecutionTask reader = execution.tasks().stream()
                .filter(task -> task.chain().name().equals("c"))
                .findFirst()
                .orElseThrow();
        execution.tasks().forEach(ExecutionTask::deploying);
        execution.tasks().forEach(task -> task.apply(TaskUpdates.of(task, TaskState.RUNNING)));
        execution.tasks().stream()
                .filter(task -> task != reader)
                .forEach(task -> task.apply(TaskUpdates.of(task, TaskState.FINISHED)));
        assertThat(execution.isDrained()).isFalse();

        reader.apply(TaskUpdates.of(reader, TaskState.READY_TO_COMMIT));
        assertThat(execution.isDrained()).isTrue();
    }

    @Test
    void theCostOfAnUpdateDoesNotGrowWithTheNumberOfTasks() {
        int width = 30_000;
        ExecutionGraph execution = execution(
                job(graph(List.of(vertex("a", 1, width, "g"), vertex("b", 1, width, "g")), List.of())),
                List.of(width, width));
        execution.tasks().forEach(ExecutionTask::deploying);
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            for (ExecutionTask task : execution.tasks()) {
                task.apply(TaskUpdates.of(task, TaskState.FINISHED));
                execution.noteEnd(1);
                assertThat(execution.isFinished()).isEqualTo(execution.isEnded());
            }
        });
        assertThat(execution.isFinished()).isTrue();
    }

    private static List<List<String>> regions(JobGraph graph, Integer... parallelism) {
        ExecutionGraph execution = execution(job(graph), List.of(parallelism));
        List<List<String>> found = execution.tasksInOrder().stream()
                .map(execution::regionOf)
                .distinct()
                .map(region -> execution.region(region).stream()
                        .map(ExecutionTask::name)
                        .toList())
                .toList();
        assertThat(execution.regions()).isEqualTo(found.size());
        return found;
    }

    @Test
    void tasksThatExchangeRecordsAreOneRegion() {
        assertThat(regions(Jobs.wordCount(1, 3), 2, 2, 3, 3))
                .containsExactly(List.of("source[0]", "source[1]", "count[0]", "count[1]", "count[2]"));
        JobGraph pairs = graph(
                List.of(vertex("a", 1, 2, "left"), vertex("b", 1, 2, "right"), vertex("c", 1, 2, "right")),
                List.of(edge("a", "b", Partitioning.FORWARD)));
        assertThat(regions(pairs, 2, 2, 2))
                .containsExactly(List.of("a[0]", "b[0]"), List.of("a[1]", "b[1]"), List.of("c[0]"), List.of("c[1]"));
        JobGraph joined = graph(
                List.of(vertex("a", 1, 2, "g"), vertex("b", 1, 2, "g"), vertex("c", 1, 1, "g"), vertex("d", 1, 1, "g")),
                List.of(edge("a", "c", Partitioning.BROADCAST), edge("b", "c", Partitioning.REBALANCE)));
        assertThat(regions(joined, 2, 2, 1, 1))
                .containsExactly(List.of("a[0]", "a[1]", "b[0]", "b[1]", "c[0]"), List.of("d[0]"));
    }

    /** Another computation: each task reaches what its edges lead to, in both directions. */
    @Test
    void regionsAreTheConnectedPartsOfRandomGraphs() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            int width = 1 + random.nextInt(3);
            List<JobVertex> vertices = new ArrayList<>();
            List<JobEdge> edges = new ArrayList<>();
            int count = 1 + random.nextInt(6);
            for (int index = 0; index < count; index++) {
                vertices.add(vertex("v" + index, 1, 3, "g" + index));
                for (int from = 0; from < index; from++) {
                    if (random.nextInt(3) == 0) {
                        edges.add(edge(
                                "v" + from,
                                "v" + index,
                                random.nextBoolean() ? Partitioning.FORWARD : Partitioning.HASH));
                    }
                }
            }
            ExecutionGraph execution = execution(job(graph(vertices, edges)), Collections.nCopies(count, width));
            Map<String, Set<String>> next = new TreeMap<>();
            execution.tasks().forEach(task -> next.put(task.name(), new TreeSet<>()));
            for (JobEdge edge : edges) {
                for (int from = 0; from < width; from++) {
                    for (int to = 0; to < width; to++) {
                        if (edge.partitioning() == Partitioning.HASH || from == to) {
                            next.get(edge.from() + "[" + from + "]").add(edge.to() + "[" + to + "]");
                            next.get(edge.to() + "[" + to + "]").add(edge.from() + "[" + from + "]");
                        }
                    }
                }
            }
            Set<Integer> numbers = new TreeSet<>();
            for (ExecutionTask task : execution.tasks()) {
                Set<String> reached = new TreeSet<>(Set.of(task.name()));
                Deque<String> open = new ArrayDeque<>(reached);
                while (!open.isEmpty()) {
                    next.get(open.poll()).stream().filter(reached::add).forEach(open::add);
                }
                int region = execution.regionOf(task);
                numbers.add(region);
                assertThat(execution.region(region))
                        .extracting(ExecutionTask::name)
                        .containsExactlyInAnyOrderElementsOf(reached);
            }
            assertThat(execution.regions()).isEqualTo(numbers.size());
        }
    }

    @Test
    void listingAllRegionsIsLinearInTheTasks() {
        int width = 30_000;
        JobGraph pairs = graph(
                List.of(vertex("a", 1, width, "left"), vertex("b", 1, width, "right")),
                List.of(edge("a", "b", Partitioning.FORWARD)));
        ExecutionGraph execution = execution(job(pairs), List.of(width, width));
        assertThat(execution.regions()).isEqualTo(width);
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            for (ExecutionTask task : execution.tasks(execution.chainOf("b"))) {
                assertThat(execution.region(execution.regionOf(task)).get(1)).isSameAs(task);
            }
        });
    }

    /** Three workers with slots of two groups; the other computation looks at all tasks. */
    @Test
    void findsTheTasksOfSlotsAndWorkers() {
        JobIdentity job =
                job(graph(List.of(vertex("a", 1, 5, "g"), vertex("b", 1, 3, "g"), vertex("c", 1, 4, "h")), List.of()));
        SortedMap<String, List<PoolSlot>> slots = new TreeMap<>();
        int number = 0;
        for (String group : List.of("g", "h")) {
            List<PoolSlot> list = new ArrayList<>();
            for (int index = 0; index < 5; index++) {
                WorkerId worker = new WorkerId("w" + number % 3);
                list.add(new PoolSlot(new AllocationId(1, number++), worker, group, group, Jobs.SLOT, false, 1));
            }
            slots.put(group, list);
        }
        ExecutionGraph execution = new ExecutionGraph(job, 5, List.of(5, 3, 4), slots, 0, 60_000);
        execution.tasks().forEach(ExecutionTask::deploying);
        Random random = new Random(3);
        for (int round = 0; round < 50; round++) {
            List<ExecutionTask> tasks = execution.tasks();
            assertThat(tasks).extracting(ExecutionTask::attempt).isSorted();
            ExecutionTask changed = tasks.get(random.nextInt(tasks.size()));
            AttemptId attempt = changed.attempt();
            assertThat(execution.task(attempt)).containsSame(changed);
            if (changed.isTerminal()) {
                execution.restart(List.of(changed), 7).get(0).deploying();
                assertThat(execution.task(attempt))
                        .as("its next attempt is another")
                        .isEmpty();
                assertThat(execution.task(attempt.next())).isPresent();
            } else {
                changed.apply(TaskUpdates.of(changed, random.nextBoolean() ? TaskState.RUNNING : TaskState.CANCELED));
            }
            for (int worker = 0; worker < 4; worker++) {
                WorkerId id = new WorkerId("w" + worker);
                assertThat(execution.expectedAt(id))
                        .containsExactlyElementsOf(execution.tasks().stream()
                                .filter(task -> task.isExpectedAtWorker()
                                        && task.worker().equals(id))
                                .map(ExecutionTask::attempt)
                                .toList());
            }
            List<AllocationId> some = List.of(
                    new AllocationId(1, random.nextInt(11)),
                    new AllocationId(1, random.nextInt(11)),
                    new AllocationId(1, random.nextInt(11)));
            assertThat(execution.liveIn(some))
                    .containsExactlyElementsOf(execution.tasks().stream()
                            .filter(task -> !task.isTerminal()
                                    && some.contains(task.slot().allocation()))
                            .toList());
        }
        for (int subtask : new int[] {-1, 5}) {
            assertThat(execution.task(new AttemptId(job.id(), "a", subtask, 1, 5)))
                    .as("a worker may say anything")
                    .isEmpty();
        }
    }

    private static TaskDeployment deployment(JobIdentity job, ExecutionGraph execution, String chain, int subtask) {
        return execution.tasks().stream()
                .filter(task ->
                        task.attempt().chain().equals(chain) && task.attempt().subtask() == subtask)
                .map(new TaskDeployments(job, REF, execution, worker -> worker + ":9", Map.of())::of)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void wiresHashEdgesFromEachProducerToEachConsumer() {
        JobIdentity job = job(Jobs.wordCount(1, 3));
        ExecutionGraph execution = execution(job, List.of(2, 2, 3, 3));
        TaskDeployment source = deployment(job, execution, "source", 1);
        assertThat(source.inputs()).isEmpty();
        assertThat(source.operators()).extracting(ChainedOperator::vertex).containsExactly("source", "split");
        assertThat(source.allocation()).isEqualTo(new AllocationId(1, 1));
        assertThat(source.parallelism()).isEqualTo(2);
        assertThat(source.outputs())
                .containsExactly(new Output(
                        1,
                        Partitioning.HASH,
                        Exchange.PIPELINED,
                        new ChainedOperator("count", "count-operator", new TreeMap<>()),
                        3,
                        128));

        TaskDeployment count = deployment(job, execution, "count", 2);
        assertThat(count.outputs()).isEmpty();
        assertThat(count.inputs())
                .containsExactly(new Input(
                        1,
                        Partitioning.HASH,
                        Exchange.PIPELINED,
                        new ChainedOperator("split", "split-operator", new TreeMap<>()),
                        List.of(
                                new Producer(new PartitionId(new AttemptId(job.id(), "source", 0, 1, 5), 1), "w0:9"),
                                new Producer(new PartitionId(new AttemptId(job.id(), "source", 1, 1, 5), 1), "w1:9"))));
    }

    /** So a message has it once. */
    @Test
    void allConsumersOfAnEdgeShareTheListOfItsProducers() {
        JobIdentity job = job(Jobs.wordCount(1, 3));
        ExecutionGraph execution = execution(job, List.of(2, 2, 3, 3));
        TaskDeployments deployments = new TaskDeployments(job, REF, execution, worker -> "", Map.of());
        List<List<Producer>> lists = execution.tasks(execution.chainOf("count")).stream()
                .map(task -> deployments.of(task).inputs().get(0).producers())
                .toList();

        assertThat(lists).hasSize(3).allSatisfy(list -> assertThat(list).isSameAs(lists.get(0)));
    }

    @Test
    void sideOutputsAndSecondInputsAreNeverWithinAChain() {
        JobIdentity job = job(graph(
                List.of(vertex("a", 1, 2, "g"), vertex("b", 1, 2, "g"), vertex("c", 1, 2, "g")),
                List.of(
                        new JobEdge("a", "b", Partitioning.FORWARD, Exchange.PIPELINED, 1, "late"),
                        new JobEdge("b", "c", Partitioning.FORWARD, Exchange.PIPELINED, 2, ""))));
        ExecutionGraph execution = execution(job, List.of(2, 2, 2));
        Output late = deployment(job, execution, "a", 1).outputs().get(0);
        assertThat(late.output()).isEqualTo("late");
        assertThat(late.input()).isEqualTo(1);
        TaskDeployment b = deployment(job, execution, "b", 0);
        assertThat(b.inputs().get(0).output()).isEqualTo("late");
        assertThat(b.outputs().get(0).input()).isEqualTo(2);
        assertThat(deployment(job, execution, "c", 0).inputs().get(0).input()).isEqualTo(2);
    }

    @Test
    void wiresForwardEdgesThatCannotBeChainedToTheSameIndex() {
        JobIdentity job = job(graph(
                List.of(vertex("a", 1, 2, "left"), vertex("b", 1, 2, "right")),
                List.of(edge("a", "b", Partitioning.FORWARD))));
        ExecutionGraph execution = execution(job, List.of(2, 2));
        assertThat(deployment(job, execution, "a", 1).outputs().get(0).consumers())
                .isEqualTo(1);
        assertThat(deployment(job, execution, "b", 1).inputs().get(0).producers())
                .extracting(producer -> producer.partition().producer().subtask())
                .containsExactly(1);
    }

    @Test
    void wiresRebalanceAndBroadcastToAllConsumers() {
        JobIdentity job = job(graph(
                List.of(vertex("a", 1, 1, "g"), vertex("b", 1, 3, "g"), vertex("c", 1, 2, "g")),
                List.of(edge("a", "b", Partitioning.REBALANCE), edge("a", "c", Partitioning.BROADCAST))));
        ExecutionGraph execution = execution(job, List.of(1, 3, 2));
        assertThat(deployment(job, execution, "a", 0).outputs())
                .extracting(Output::edge, Output::partitioning, Output::consumers)
                .containsExactly(tuple(0, Partitioning.REBALANCE, 3), tuple(1, Partitioning.BROADCAST, 2));
        assertThat(deployment(job, execution, "b", 2).inputs().get(0).producers())
                .hasSize(1);
    }
}

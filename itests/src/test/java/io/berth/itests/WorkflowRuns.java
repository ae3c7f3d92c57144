package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.itests.workflow.Workflow;
import io.berth.itests.workflow.Workflow.Task;
import io.berth.itests.workflow.WorkflowJob;
import io.berth.itests.workflow.WorkflowJob.Gate;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs workflows, and checks by their checksums that each task had the results of all its parents, and by the logs of their
 * tasks how often each of them ran.
 */
final class WorkflowRuns {

    private static final Duration LIMIT = Duration.ofSeconds(240);

    private final Cluster cluster;
    private final ClusterOperations operations;
    private final int workers;
    private final int slots;
    private final String bundle;

    /**
     * @param workers that the cluster always has
     * @param slots that they have together
     */
    WorkflowRuns(Cluster cluster, ClusterOperations operations, int workers, int slots) throws Exception {
        this.cluster = cluster;
        this.operations = operations;
        this.workers = workers;
        this.slots = slots;
        this.bundle = cluster.bundle(OperatorBundles.workflow(Cluster.scratch("workflow")));
    }

    /** Runs it undisturbed: each task has one attempt. */
    void run(Workflow workflow) throws Exception {
        cluster.workers(workers, LIMIT);
        JobId id = cluster.submit(WorkflowJob.of(workflow).description(bundle));
        check(workflow, cluster.finished(id, LIMIT), Set.of());
    }

    /**
     * Runs it until a task in the middle runs and all that does not need its result has ended. Then a worker is killed.
     *
     * @param ofRunning whether the worker is killed that runs the task, or one that does not
     */
    void runWithLoss(Workflow workflow, boolean ofRunning) throws Exception {
        cluster.workers(workers, LIMIT);
        Task middle = workflow.middle();
        SortedSet<String> open = workflow.from(middle.id());
        Gate gate = new Gate(middle.id(), Cluster.scratch("gate").resolve("open"));
        JobId id = cluster.submit(WorkflowJob.of(workflow).with(gate).description(bundle));
        Set<String> ended = workflow.tasks().stream()
                .map(Task::id)
                .filter(task -> !open.contains(task))
                .collect(Collectors.toSet());
        cluster.await(
                id,
                "all has ended that does not need " + middle.id(),
                LIMIT,
                job -> Files.exists(gate.awaited()) && ended(job).equals(ended));
        Map<String, WorkerId> places = places(id);
        WorkerId lost = victim(places, Objects.requireNonNull(places.get(middle.id())), ofRunning);
        SortedSet<String> repeated = workflow.repeated(
                ended,
                Set.of(middle.id()),
                places.keySet().stream()
                        .filter(task -> lost.equals(places.get(task)))
                        .collect(Collectors.toSet()));

        assertTrue(Cluster.process(lost).orElseThrow().destroyForcibly());
        Await.until("the worker is gone", LIMIT, () -> !cluster.registered().contains(lost.value()));
        Await.until(
                () -> "these run again: " + repeated,
                LIMIT,
                () -> attempts(id).entrySet().stream()
                        .filter(task -> task.getValue() > 1)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet())
                        .containsAll(repeated));
        Files.createFile(gate.file());
        check(workflow, cluster.finished(id, LIMIT), repeated);
    }

    /** The worker of the running task, or another one: one with results if there is such a one. */
    private WorkerId victim(Map<String, WorkerId> places, WorkerId running, boolean ofRunning) throws Exception {
        if (ofRunning) {
            return running;
        }
        return Stream.concat(
                        places.values().stream(), cluster.registered().stream().map(WorkerId::new))
                .filter(worker -> !worker.equals(running))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no other worker than " + running));
    }

    private static Set<String> ended(JobDetails job) {
        return job.vertices().stream()
                .filter(vertex -> vertex.finished() == 1)
                .map(VertexDetails::name)
                .collect(Collectors.toSet());
    }

    private void check(Workflow workflow, JobDetails job, Set<String> repeated) throws Exception {
        assertTrue("fewer slots than tasks", workflow.tasks().size() > slots);
        SortedMap<String, Long> checksums = new TreeMap<>();
        workflow.checksums().forEach((sink, checksum) -> checksums.put(sink + ".checksum", checksum));
        assertEquals(Cluster.text(job), checksums, job.counters());
        SortedMap<String, Integer> attempts = new TreeMap<>();
        workflow.tasks().forEach(task -> attempts.put(task.id(), repeated.contains(task.id()) ? 2 : 1));
        assertEquals(Cluster.text(job), attempts, attempts(job.id()));
        System.out.printf(
                "%s: %d tasks, %d slots, %d ms, %d tasks with a second attempt%n",
                workflow.name(),
                workflow.tasks().size(),
                slots,
                job.endedMillis() - job.submittedMillis(),
                repeated.size());
    }

    /** How often each task was deployed. */
    private SortedMap<String, Integer> attempts(JobId id) throws Exception {
        SortedMap<String, Integer> attempts = new TreeMap<>();
        logs(id).forEach(log -> attempts.merge(log.attempt().chain(), 1, Integer::sum));
        return attempts;
    }

    /** The worker of the last attempt of each task. */
    private SortedMap<String, WorkerId> places(JobId id) throws Exception {
        SortedMap<String, WorkerId> places = new TreeMap<>();
        logs(id).forEach(log -> places.put(log.attempt().chain(), log.worker()));
        return places;
    }

    private Iterable<TaskLogDetails> logs(JobId id) throws Exception {
        LogList list = Cluster.await(operations.taskLogs(LogFilter.of(id)));
        assertEquals("logs that are left out", 0, list.omitted());
        return list.logs();
    }
}

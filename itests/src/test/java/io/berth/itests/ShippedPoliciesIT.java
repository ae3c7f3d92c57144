package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.RequirementsResult;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.inject.Inject;
import org.apache.karaf.features.FeaturesService;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/**
 * While a job runs, the policies of this release are installed; then each is chosen in turn and decides about the next
 * job. One of them moves slots of a job that runs.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class ShippedPoliciesIT {

    /** {@code rebalance} looks again a minute after it looked. */
    private static final Duration SECOND_LOOK = Duration.ofSeconds(150);

    private static final int RECORDS = 1_000;

    /** Whether the word count of DS2 has as many tasks as in the paper; then only that test fits the cluster. */
    private static final String OF_PAPER_KEY = "berth.ds2.paper";

    private static final boolean OF_PAPER = Boolean.getBoolean(OF_PAPER_KEY);
    /** So often the figures need nothing else, before the job counts as settled. */
    private static final int LOOKS = 3;

    private static final int SENTENCES = OF_PAPER ? 38 : 19;
    private static final int WORDS = OF_PAPER ? 20 : 5;
    /** As many tasks as the rates need. */
    private static final int SPLITTERS = OF_PAPER ? 10 : 3;

    private static final int COUNTERS = OF_PAPER ? 20 : 6;
    private static final Map<PolicyKind, List<String>> SHIPPED = Map.of(
            PolicyKind.MATCHING,
                    List.of("balanced", "first-fit", "gale-shapley", "optimal", "pack", "rebalance", "spread"),
            PolicyKind.DISTRIBUTION, List.of("backfill", "capacity", "drf", "fair-share", "fifo", "priority"),
            PolicyKind.SCALING, List.of("minimal-increase", "reactive", "schedule", "steps", "target-rate"));

    @Inject
    private FeaturesService features;

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    @Inject
    private PolicyOperations policies;

    private Cluster cluster;
    private String bundle;
    private int next;

    private void connect() throws Exception {
        cluster = new Cluster(jobs, operations);
        bundle = cluster.bundle(Cluster.file("berth.sequence.jar"));
        cluster.workers(2, LIMIT);
    }

    private void installPolicies() throws Exception {
        features.installFeature("berth-policies", EnumSet.of(FeaturesService.Option.NoAutoRefreshBundles));
        Await.until(
                () -> "all are installed: " + installed(),
                LIMIT,
                () -> installed().equals(SHIPPED));
    }

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.cluster(2, 2, OF_PAPER ? 10 : 4),
            BerthContainer.configuration("core.scheduler", "measurement.window.ms", 10_000),
            systemProperty(OF_PAPER_KEY).value(Boolean.toString(OF_PAPER))
        };
    }

    @Test
    public void eachDecidesAndTheRunningJobDoesNotNotice() throws Exception {
        connect();
        JobId through = cluster.submit(Jobs.sequence("through", bundle, 1L << 40, 1_000, 2, 2));
        List<String> slots = slots(cluster.running(through, LIMIT));
        installPolicies();

        for (PolicyKind kind : SHIPPED.keySet()) {
            for (String name : SHIPPED.get(kind)) {
                policies.use(kind, name);
                decides(kind, name);
                JobDetails running = cluster.job(through);
                assertEquals(Cluster.text(running), JobStatus.EXECUTING, running.status());
                assertEquals(Cluster.text(running), 0, running.restarts() + running.rescales());
                assertEquals("after " + name, slots, slots(running));
            }
        }

        for (PolicyDetails policy : policies.policies()) {
            assertEquals(policy.toString(), 0, policy.failures());
        }
        cluster.cancel(through);
        Await.until(
                "all slots are free again", LIMIT, () -> cluster.state().slots().isEmpty());
    }

    @Test
    public void rebalanceEmptiesAWorkerWhileTheJobRuns() throws Exception {
        connect();
        installPolicies();
        policies.use(PolicyKind.SCALING, "reactive");
        policies.use(PolicyKind.MATCHING, "spread");
        JobId job = cluster.submit(Jobs.sequence("spread-out", bundle, 1L << 40, 1_000, 1, 4));
        cluster.running(job, LIMIT);
        JobDetails before = cluster.await(job, "running with four slots", LIMIT, ShippedPoliciesIT::hasFour);
        assertEquals(Cluster.text(before), 2, workers(before).size());

        policies.use(PolicyKind.MATCHING, "rebalance");
        JobDetails after = cluster.await(
                job,
                "running with four slots on one worker",
                SECOND_LOOK,
                details -> hasFour(details) && workers(details).size() == 1);

        assertEquals(Cluster.text(after), 0, after.restarts());
        assertTrue(Cluster.text(after), after.rescales() > before.rescales());
        List<String> results = policies
                .decisions(new DecisionFilter(Optional.empty(), Optional.of("rebalance"), Optional.empty(), 1_000))
                .stream()
                .flatMap(decision -> decision.results().stream())
                .toList();
        assertTrue(
                results.toString(),
                results.stream()
                        .anyMatch(line -> line.contains("can be released: all its 2 slots fit on fuller workers")));
        cluster.cancel(job);
        Await.until(
                "all slots are free again", LIMIT, () -> cluster.state().slots().isEmpty());
    }

    @Test
    public void capacityReturnsWhatIsGuaranteedToAQueueAndKeepsLimits() throws Exception {
        connect();
        installPolicies();
        policies.use(PolicyKind.SCALING, "reactive");
        Path pool = Path.of(System.getProperty("karaf.etc"), "io.berth.pool-default.cfg");
        Files.writeString(pool, """
                distribution = capacity
                distribution.reclaim.after = 1s
                queue.ads.guaranteed = cpu=4
                queue.etl.guaranteed = cpu=4
                queue.adhoc.limit = cpu=1
                """);
        Await.until("there are queues", LIMIT, () -> !isAllowed("nowhere") && isAllowed("adhoc"));
        JobId borrows = cluster.submit(Jobs.sequence("borrows", bundle, 1L << 40, 1_000, 1, 8) + "queue: etl\n");
        cluster.await(borrows, "running with all slots", LIMIT, details -> has(details, 8));

        JobId guaranteed = cluster.submit(Jobs.sequence("ads", bundle, 1L << 40, 1_000, 2, 2) + "queue: ads\n");
        cluster.running(guaranteed, LIMIT);
        JobDetails less = cluster.await(borrows, "running with less", LIMIT, details -> has(details, 6));
        assertEquals(Cluster.text(less), 0, less.restarts());
        assertTrue(
                less.history().toString(),
                less.history()
                        .toString()
                        .contains("queue ads uses 0 % of cpu, 50 % is guaranteed, and jobs of it wait"));

        JobId limited = cluster.submit(Jobs.sequence("limited", bundle, 1L << 40, 1_000, 2, 2) + "queue: adhoc\n");
        cluster.await(
                limited,
                "waiting because of the limit",
                LIMIT,
                details -> details.waiting().toString().contains("queue adhoc uses 0 % of cpu, at most"));

        for (JobId job : List.of(limited, guaranteed, borrows)) {
            cluster.cancel(job);
        }
        Await.until(
                "all slots are free again", LIMIT, () -> cluster.state().slots().isEmpty());
        Files.delete(pool);
        Await.until("there are no queues", LIMIT, () -> isAllowed("nowhere"));
    }

    /** Requirements that change while the job runs: 2, 3, 1, 4 and 2 tasks, without a failure. */
    @Test
    public void aJobFollowsItsRequirements() throws Exception {
        connect();
        policies.use(PolicyKind.SCALING, "reactive");
        policies.use(PolicyKind.MATCHING, "first-fit");
        policies.use(PolicyKind.DISTRIBUTION, "fifo");
        JobId job = cluster.submit(Jobs.sequence("scaled", bundle, 1L << 40, 1_000, 1, 2));
        cluster.await(job, "running with two tasks", LIMIT, details -> has(details, 2));
        long revision = 1;
        for (int tasks : List.of(3, 1, 4, 2)) {
            RequirementsResult result = scale(job, revision, tasks);
            assertTrue(result.toString(), result instanceof RequirementsResult.Changed);
            revision++;
            JobDetails scaled =
                    cluster.await(job, "running with " + tasks + " tasks", LIMIT, details -> has(details, tasks));
            assertEquals(Cluster.text(scaled), 0, scaled.restarts());
            // Slots that come one after the other may cost more than one.
            assertTrue(Cluster.text(scaled), scaled.rescales() >= revision - 1);
        }
        RequirementsResult late = scale(job, 2, 1);
        assertTrue(late.toString(), late instanceof RequirementsResult.Conflict);
        assertTrue(has(cluster.job(job), 2));
        cluster.cancel(job);
        Await.until(
                "all slots are free again", LIMIT, () -> cluster.state().slots().isEmpty());
    }

    private RequirementsResult scale(JobId job, long revision, int tasks) throws Exception {
        List<VertexBounds> bounds =
                jobs.requirements(job).toCompletableFuture().get(1, TimeUnit.MINUTES).orElseThrow().vertices().stream()
                        .map(vertex -> new VertexBounds(vertex.vertex(), 1, tasks, tasks))
                        .toList();
        return jobs.changeRequirements(job, OptionalLong.of(revision), bounds)
                .toCompletableFuture()
                .get(1, TimeUnit.MINUTES);
    }

    /**
     * The word count of the DS2 paper (Kalavri et al., OSDI 2018): a task of each vertex has a fixed rate, so it is known
     * how many are needed. The rates leave a part of a task to spare, because pauses take longer on a busy machine.
     */
    @Test
    public void targetRateFindsTheTasksOfAWordCountInTwoSteps() throws Exception {
        connect();
        installPolicies();
        policies.use(PolicyKind.MATCHING, "first-fit");
        policies.use(PolicyKind.DISTRIBUTION, "fifo");
        JobId job = cluster.submit("""
                name: ds2
                bundles: [%s]
                policies:
                  scaling: {name: target-rate, utilization: 0.985, high: 0.995, catchup: 1 d, settle: 12 s, interval: 5 s,
                            max.step.up: 1000, align: 0}
                vertices:
                  - name: sentences
                    operator: sequence
                    parallelism: {min: 1, desired: 1, max: 1}
                    configuration: {records: 100000, splits: 1, rate.per.second: %d}
                  - name: split
                    operator: repeat
                    parallelism: {min: 1, desired: 1, max: %d}
                    configuration: {times: %d, rate.per.second: %d}
                  - name: count
                    operator: tally
                    parallelism: {min: 1, desired: 1, max: %d}
                    configuration: {rate.per.second: %d}
                edges:
                  - {from: sentences, to: split, partitioning: rebalance}
                  - {from: split, to: count, partitioning: rebalance}
                """.formatted(
                        bundle,
                        SENTENCES,
                        SPLITTERS + 2,
                        WORDS,
                        Math.round(SENTENCES / (SPLITTERS - 0.5)),
                        COUNTERS + 2,
                        Math.round(SENTENCES * WORDS / (COUNTERS - 0.5))));
        Await.until(
                () -> "the figures need no more tasks, at several looks: " + decided(job),
                SECOND_LOOK,
                () -> decided(job).stream()
                                .filter(result -> result.contains("has the most work"))
                                .count()
                        >= LOOKS);
        JobDetails settled = cluster.job(job);
        assertEquals(Cluster.text(settled), JobStatus.EXECUTING, settled.status());
        assertTrue(Cluster.text(settled), settled.rescales() >= 1 && settled.rescales() <= 2);
        assertTasks(settled, "split", SPLITTERS);
        assertTasks(settled, "count", COUNTERS);
        cluster.cancel(job);
        Await.until(
                "all slots are free again", LIMIT, () -> cluster.state().slots().isEmpty());
    }

    /** Tasks are slower on a busy machine, so there may be one more. */
    private static void assertTasks(JobDetails job, String vertex, int needed) {
        int tasks = Cluster.vertex(job, vertex).running();
        assertTrue(Cluster.text(job), tasks == needed || tasks == needed + 1);
    }

    private List<String> decided(JobId job) {
        return policies
                .decisions(new DecisionFilter(
                        Optional.empty(), Optional.of("target-rate"), Optional.of(job.value()), 1_000))
                .stream()
                .flatMap(decision -> decision.reasons().stream())
                .toList();
    }

    private boolean isAllowed(String queue) {
        return policies.queueRefusal("default", queue, "").isEmpty();
    }

    /** A source task for which no split is left has finished, so not all of them need to run. */
    private static boolean has(JobDetails job, int slots) {
        return job.status() == JobStatus.EXECUTING
                && job.slots().size() == slots
                && Cluster.vertex(job, "tally").running() == slots;
    }

    private static boolean hasFour(JobDetails job) {
        return has(job, 4);
    }

    private static TreeSet<String> workers(JobDetails job) {
        return new TreeSet<>(Cluster.workersOf(job));
    }

    /** A new job ends well, and the policy took part in a decision about it. */
    private void decides(PolicyKind kind, String name) throws Exception {
        JobId job = cluster.submit(Jobs.sequence("job-" + next++, bundle, RECORDS, 0, 1, 3));
        JobDetails ended = cluster.finished(job, LIMIT);
        assertEquals(RECORDS, (long) ended.counters().get("tally.tally.records"));
        assertEquals(Cluster.text(ended), 0, ended.restarts());
        TreeSet<String> deciding = policies
                .decisions(new DecisionFilter(Optional.empty(), Optional.empty(), Optional.of(job.value()), 1_000))
                .stream()
                .flatMap(decision -> decision.policies().stream())
                .filter(stamp -> stamp.kind() == kind)
                .map(stamp -> stamp.name())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals("who decided about " + job, new TreeSet<>(List.of(name)), deciding);
    }

    private Map<PolicyKind, List<String>> installed() {
        Map<PolicyKind, List<String>> installed = new TreeMap<>();
        for (PolicyKind kind : SHIPPED.keySet()) {
            installed.put(
                    kind,
                    policies.policies().stream()
                            .filter(policy -> policy.kind() == kind)
                            .map(PolicyDetails::name)
                            .sorted()
                            .toList());
        }
        return installed;
    }

    private static List<String> slots(JobDetails job) {
        assertTrue(Cluster.text(job), !job.slots().isEmpty());
        return job.slots().stream()
                .map(slot -> slot.allocation() + " on " + slot.worker())
                .sorted()
                .toList();
    }
}

package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.inject.Inject;
import org.apache.karaf.kar.KarService;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.wiring.BundleWiring;

/**
 * While jobs run and others arrive, a matching strategy that was built outside the reactor is installed, decides, is
 * replaced by another one and is removed. Only the recorded decisions show it.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class LiveSwapIT {

    private static final String SAMPLE = "com.example.lastfit";
    private static final String SAMPLE_KAR = "last-fit-1.0.0";
    private static final long THROUGH_RECORDS = 60_000;

    @Inject
    private BundleContext context;

    @Inject
    private KarService kars;

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    @Inject
    private PolicyOperations policies;

    private final Map<JobId, List<String>> slotsWhenPlaced = new TreeMap<>();
    private Cluster cluster;
    private String bundle;

    @Configuration
    public Option[] configuration() {
        return new Option[] {BerthContainer.cluster(3, 3, 4), BerthContainer.artifact("berth.sample.kar")};
    }

    @Test
    public void swapsTheMatchingStrategyUnderRunningJobs() throws Exception {
        cluster = new Cluster(jobs, operations);
        bundle = cluster.bundle(Cluster.file("berth.sequence.jar"));
        cluster.workers(3, LIMIT);

        policies.use(PolicyKind.MATCHING, "first-fit");
        JobDetails first = place("first", 1);
        JobDetails second = place("second", 1);
        String firstWorker = first.slots().get(0).worker();
        assertEquals("first-fit fills the first worker", List.of(firstWorker), Cluster.workersOf(second));
        decidedBy(first, "first-fit", "io.berth.matching.firstfit");
        decidedBy(second, "first-fit", "io.berth.matching.firstfit");
        JobId through = cluster.submit(Jobs.sequence("through", bundle, THROUGH_RECORDS, 2_000, 1, 1));
        cluster.running(through, LIMIT);

        try (BundleChanges changes = new BundleChanges(context);
                Arrivals arrivals = new Arrivals(cluster, bundle)) {
            arrivals.during(() -> kars.install(URI.create("file:" + Cluster.file("berth.sample.kar"))));
            onlyTheSampleChanged(changes);
            assertTrue(
                    "the sample is offered",
                    policies.policies().stream()
                            .anyMatch(policy -> policy.kind() == PolicyKind.MATCHING
                                    && policy.name().equals("last-fit")
                                    && policy.bundle().equals(SAMPLE)
                                    && policy.version().equals("1.0.0")));
            assertUndisturbed();

            arrivals.during(() -> policies.use(PolicyKind.MATCHING, "last-fit"));
            JobDetails third = place("third", 1);
            JobDetails fourth = place("fourth", 1);
            String lastWorker = third.slots().get(0).worker();
            assertNotEquals("last-fit does not use the first worker", firstWorker, lastWorker);
            assertEquals("last-fit fills the last worker", List.of(lastWorker), Cluster.workersOf(fourth));
            List<String> registered = cluster.registered();
            assertTrue(
                    "order of workers " + registered + ": " + firstWorker + ", " + lastWorker,
                    registered.indexOf(firstWorker) == 0 && registered.indexOf(lastWorker) == 2);
            decidedBy(third, "last-fit", SAMPLE);
            decidedBy(fourth, "last-fit", SAMPLE);
            assertUndisturbed();

            arrivals.during(() -> policies.use(PolicyKind.MATCHING, "spread"));
            assertEquals("choosing changes no bundle", List.of(), changes.take());
            spreads(registered);
            assertUndisturbed();

            BundleWiring wiring = sample().adapt(BundleWiring.class);
            assertTrue(wiring.isInUse());
            arrivals.during(() -> kars.uninstall(SAMPLE_KAR));
            onlyTheSampleChanged(changes);
            assertTrue("no bundle of the sample is left", samples().isEmpty());
            assertFalse("no wiring of the sample is left", wiring.isInUse());
            assertTrue(
                    "it is no longer offered",
                    policies.policies().stream()
                            .noneMatch(policy -> policy.name().equals("last-fit")));
            decidedBy(place("last", 1), "spread", "io.berth.matching.spread");
            assertUndisturbed();
            assertTrue("jobs that arrived meanwhile: " + arrivals.count(), arrivals.count() >= 12);
        }

        JobDetails ended = cluster.finished(through, LIMIT);
        assertEquals(THROUGH_RECORDS, (long) ended.counters().get("tally.tally.records"));
        assertEquals(THROUGH_RECORDS * (THROUGH_RECORDS - 1) / 2, (long)
                ended.counters().get("tally.tally.sum"));
        assertNoRestart(ended);
        for (JobId job : slotsWhenPlaced.keySet()) {
            cluster.cancel(job);
            cluster.await(job, "canceled", LIMIT, details -> details.status() == JobStatus.CANCELED);
        }
        Await.until(
                "all slots are free again", LIMIT, () -> cluster.state().slots().isEmpty());
    }

    /** A job that runs until the end of the test; its slots are remembered. */
    private JobDetails place(String name, int slots) throws Exception {
        JobId id = cluster.submit(Jobs.sequence(name, bundle, 1L << 40, 1_000, slots, slots));
        JobDetails job = cluster.running(id, LIMIT);
        assertEquals(slots, job.slots().size());
        slotsWhenPlaced.put(id, slotTexts(job));
        return job;
    }

    private static List<String> slotTexts(JobDetails job) {
        return job.slots().stream()
                .map(slot -> slot.allocation() + " on " + slot.worker())
                .sorted()
                .toList();
    }

    /**
     * With two or three used slots on each of two workers and none on the third, it fills up the third, then all in
     * turn.
     */
    private void spreads(List<String> registered) throws Exception {
        Map<String, Long> used = usedSlots();
        long level = used.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        long missing = registered.stream()
                .mapToLong(worker -> level - used.getOrDefault(worker, 0L))
                .sum();
        decidedBy(place("level", (int) missing), "spread", "io.berth.matching.spread");
        Map<String, Long> levelled = new TreeMap<>();
        registered.forEach(worker -> levelled.put(worker, level));
        assertEquals("spread takes the least utilized workers first", levelled, usedSlots());
        JobDetails round = place("round", 3);
        decidedBy(round, "spread", "io.berth.matching.spread");
        assertEquals(
                "spread gives each worker one", registered.stream().sorted().toList(), Cluster.workersOf(round));
    }

    private Map<String, Long> usedSlots() throws Exception {
        Map<String, Long> used = new TreeMap<>();
        cluster.state().slots().forEach(slot -> used.merge(slot.worker(), 1L, Long::sum));
        return used;
    }

    /** The decision that made each slot names the policy, its bundle and version, and shows the placement. */
    private void decidedBy(JobDetails job, String policy, String symbolicName) {
        String version = Arrays.stream(context.getBundles())
                .filter(installed -> installed.getSymbolicName().equals(symbolicName))
                .map(installed -> installed.getVersion().toString())
                .findFirst()
                .orElseThrow();
        for (JobDetails.SlotDetails slot : job.slots()) {
            DecisionDetails decision = policies.decision(slot.decision()).orElseThrow();
            PolicyStamp stamp = decision.policies().stream()
                    .filter(one -> one.kind() == PolicyKind.MATCHING)
                    .findFirst()
                    .orElseThrow();
            assertEquals(decision.toString(), policy, stamp.name());
            assertEquals(decision.toString(), symbolicName, stamp.bundle());
            assertEquals(decision.toString(), version, stamp.version());
            assertTrue(decision.toString(), decision.jobs().contains(job.id().value()));
            assertTrue(
                    "placement on " + slot.worker() + " in " + decision,
                    decision.results().stream().anyMatch(line -> line.contains(slot.worker())));
        }
    }

    private void onlyTheSampleChanged(BundleChanges changes) {
        List<String> others = new ArrayList<>(changes.take());
        assertTrue("the sample changed", others.remove(SAMPLE + " 1.0.0"));
        assertEquals(changes.events().toString(), List.of(), others);
    }

    private List<Bundle> samples() {
        return Arrays.stream(context.getBundles())
                .filter(installed -> SAMPLE.equals(installed.getSymbolicName()))
                .toList();
    }

    private Bundle sample() {
        assertEquals(1, samples().size());
        return samples().get(0);
    }

    /**
     * Every long job still runs, in the slots that it had from the start, and no slot is lost, duplicated or left
     * over.
     */
    private void assertUndisturbed() throws Exception {
        for (JobId id : slotsWhenPlaced.keySet()) {
            JobDetails before = cluster.job(id);
            assertEquals(Cluster.text(before), JobStatus.EXECUTING, before.status());
            assertNoRestart(before);
            assertEquals("slots of " + id, slotsWhenPlaced.get(id), slotTexts(before));
            long records = Cluster.vertex(before, "tally").recordsIn();
            cluster.await(
                    id,
                    "making progress",
                    LIMIT,
                    job -> Cluster.vertex(job, "tally").recordsIn() > records);
        }
        assertLedgersAgree();
    }

    /** What the ResourceManager counts and what the jobs hold becomes the same, each allocation once. */
    private void assertLedgersAgree() throws Exception {
        Await.until("the ResourceManager and the jobs count the same slots", LIMIT, this::ledgersAgree);
    }

    /** The slots of the ResourceManager and those of the jobs are two questions: while a job ends they may differ. */
    private boolean ledgersAgree() throws Exception {
        List<String> held = new ArrayList<>();
        for (JobDetails job : cluster.jobs()) {
            job.slots().forEach(slot -> held.add(job.id() + " " + slot.allocation() + " on " + slot.worker()));
        }
        List<ClusterDetails.SlotDetails> slots = cluster.state().slots();
        assertEquals(
                "each allocation once",
                slots.size(),
                slots.stream()
                        .map(ClusterDetails.SlotDetails::allocation)
                        .distinct()
                        .count());
        assertEquals("no slot twice", held.size(), new TreeSet<>(held).size());
        List<String> counted = slots.stream()
                .map(slot -> slot.job() + " " + slot.allocation() + " on " + slot.worker())
                .toList();
        return new TreeSet<>(counted).equals(new TreeSet<>(held));
    }

    private static void assertNoRestart(JobDetails job) {
        assertEquals(Cluster.text(job), 0, job.restarts());
        assertEquals(Cluster.text(job), 0, job.rescales());
        assertTrue(
                Cluster.text(job),
                job.history().stream().noneMatch(transition -> transition.status() == JobStatus.RESTARTING));
    }
}

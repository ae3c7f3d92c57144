package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Before;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.BundleContext;

/**
 * Base of the tests with faulty bundles: three workers, a job that runs through each test in the same slots, and at the end
 * the check that only the faulty bundle was affected.
 */
public abstract class FaultyBundleCluster {

    /** How long calls of policies may take where tests wait for a timeout. */
    static final int DEADLINE_MILLIS = 1_000;

    static final List<String> KINDS = List.of("matching", "distribution", "scaling");

    @Inject
    BundleContext context;

    @Inject
    JobOperations jobs;

    @Inject
    ClusterOperations operations;

    @Inject
    PolicyOperations policies;

    Cluster cluster;
    FaultyBundles faultyBundles;
    String bundle;
    private JobId through;
    private List<String> slots;

    /** A faulty bundle, and the text that the host must report about it. */
    record Case(String kind, String deed, String at, String text) {
        String name() {
            return deed + "-at-" + at;
        }

        String bundle() {
            return "faulty." + kind + "." + name();
        }
    }

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.cluster(3, 3, 4),
            BerthContainer.deadlines(deadlineMillis()),
            // Longer than a test takes, or failures of trials would be counted too on a busy machine.
            BerthContainer.configuration("core.policies", "quarantine.retry.ms", 3_600_000)
        };
    }

    /**
     * How long calls may take: longer in tests without hanging calls, so that a busy machine is not mistaken for a
     * faulty.
     */
    int deadlineMillis() {
        return DEADLINE_MILLIS;
    }

    @Before
    public void meetTheCluster() throws Exception {
        cluster = new Cluster(jobs, operations);
        bundle = cluster.bundle(Cluster.file("berth.sequence.jar"));
        cluster.workers(3, LIMIT);
        faultyBundles = new FaultyBundles(context, cluster, policies, bundle);
        through = cluster.submit(Jobs.sequence("through", bundle, 1L << 40, 1_000, 2, 2));
        slots = slots(cluster.running(through, LIMIT));
        faultyBundles.job();
        faultyBundles.changes().take();
    }

    @After
    public void nobodyElseWasHurt() throws Exception {
        try {
            undisturbed();
        } finally {
            faultyBundles.close();
        }
        cluster.cancel(through);
        Await.until(
                "all slots are free again", LIMIT, () -> cluster.state().slots().isEmpty());
    }

    /** The long job runs in its original slots, ledgers agree, no worker was lost, the shipped policies are fine. */
    void undisturbed() throws Exception {
        JobDetails job = cluster.job(through);
        assertEquals(Cluster.text(job), JobStatus.EXECUTING, job.status());
        assertEquals(Cluster.text(job), 0, job.restarts() + job.rescales());
        assertEquals(slots, slots(job));
        assertEquals("no worker was lost", 3, cluster.registered().size());
        Await.until(() -> "ledgers agree: " + ledgers(), LIMIT, () -> {
            List<List<String>> both = ledgers();
            return both.get(0).equals(both.get(1));
        });
        List<String> allocations = cluster.state().slots().stream()
                .map(ClusterDetails.SlotDetails::allocation)
                .toList();
        assertEquals("each allocation once", allocations.size(), new HashSet<>(allocations).size());
        for (String[] good : new String[][] {
            {"matching", "first-fit"}, {"distribution", "fifo"}, {"scaling", "reactive"}, {"backend", "local"}
        }) {
            PolicyDetails details = faultyBundles.details(good[0], good[1]);
            assertEquals(details.toString(), 0, details.failures());
        }
    }

    /** Slots as the ResourceManager counts them, and as the jobs count them. */
    private List<List<String>> ledgers() {
        try {
            List<String> counted = cluster.state().slots().stream()
                    .map(slot -> slot.job() + " " + slot.allocation() + " on " + slot.worker())
                    .toList();
            List<String> held = new ArrayList<>();
            for (JobDetails job : cluster.jobs()) {
                job.slots().forEach(slot -> held.add(job.id() + " " + slot.allocation() + " on " + slot.worker()));
            }
            return List.of(
                    List.copyOf(new TreeSet<>(counted)), held.stream().sorted().toList());
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private static List<String> slots(JobDetails job) {
        return job.slots().stream()
                .map(slot -> slot.allocation() + " on " + slot.worker())
                .sorted()
                .toList();
    }

    /** Installs the faulty bundles of all cases. Each outranks the previous ones. */
    void strike(List<Case> cases) throws Exception {
        for (Case one : cases) {
            faultyBundles.strike(one.kind(), one.deed(), one.at());
        }
        for (Case one : cases) {
            faultyBundles.inspected(one.kind(), one.name());
        }
    }
}

package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.spi.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import javax.inject.Inject;
import org.apache.karaf.features.BootFinished;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * Waiting jobs cost memory and a heartbeat each, but no thread. With 1,000 of them, the control plane has the same
 * threads as with 10, and keeps nothing of them once they have ended.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class IdleJobsIT {

    private static final int FEW = 10;
    private static final int MANY = 1_000;
    private static final Duration REST = Duration.ofSeconds(3);
    /** In this time, each periodic action of a job happens at least once. */
    private static final Duration ROUND = Duration.ofSeconds(10);
    /** Pools of Berth have two or three threads, which start and end with their use; those of Karaf change too. */
    private static final int MORE_OF_A_NAME = 2;

    private static final int MORE_THREADS = 6;
    /** Seven times the measured value. Keeping whole plans or histories for each job would be far above it. */
    private static final long MAX_BYTES_PER_JOB = 100_000;

    private static final List<String> PER_JOB = List.of(
            "io.berth.core.scheduler.JobMaster",
            "io.berth.core.resources.state.JobEntry",
            "io.berth.core.dispatcher.state.JobRecord");

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    @Inject
    private ConfigurationAdmin configurations;

    @Inject
    private BootFinished booted;

    private Cluster cluster;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.cluster(0, 2, 2),
            BerthContainer.configuration("core.resources", "startup.period.ms", 0),
            BerthContainer.configuration("core.dispatcher", "jobs.kept", MANY)
        };
    }

    @Test
    public void aThousandWaitingJobsHaveNoThreads() throws Exception {
        cluster = new Cluster(jobs, operations);
        String bundle = cluster.bundle(Cluster.file("berth.sequence.jar"));

        List<JobId> submitted = new ArrayList<>(submit(bundle, FEW));
        ControlPlaneSample few = waiting(FEW, REST);
        assertObjects(FEW, few);

        submitted.addAll(submit(bundle, MANY - FEW));
        ControlPlaneSample many = waiting(MANY, ROUND);
        assertObjects(MANY, many);
        long bytes = (many.heapBytes() - few.heapBytes()) / (MANY - FEW);
        System.out.printf("IdleJobsIT: heap after collection: %d bytes for each of %d jobs more%n", bytes, MANY - FEW);
        assertThreads(few, many);
        assertTrue(bytes + " bytes per job", bytes < MAX_BYTES_PER_JOB);

        for (JobId job : submitted) {
            cluster.cancel(job);
        }
        states("all are canceled", MANY, job -> job.status() == JobStatus.CANCELED ? "CANCELED" : Cluster.text(job));
        forgetEndedJobs();
        Await.until("no job is known", LIMIT, () -> cluster.jobs().isEmpty());
        Await.until(
                "nothing of a job is left",
                LIMIT,
                () -> ControlPlaneSample.liveObjects().keySet().stream().noneMatch(PER_JOB::contains));
        ControlPlaneSample none = ControlPlaneSample.of(REST);
        print("after them", none);
        assertThreads(few, none);
    }

    /** Real jobs that each need more memory than any worker may have. */
    private List<JobId> submit(String bundle, int count) throws Exception {
        List<JobId> submitted = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            submitted.add(cluster.submit(Jobs.sequence("idle", bundle, 1000, 0, 1, 1)
                            .replaceAll("(operator: [a-z]+)", "$1\n    slotSharingGroup: large")
                    + "slotSharingGroups:\n  - {name: large, cpu: 1, heap: 10g}\n"));
        }
        System.out.printf("IdleJobsIT: %d jobs submitted in %d ms%n", count, (System.nanoTime() - start) / 1_000_000);
        return submitted;
    }

    private ControlPlaneSample waiting(int count, Duration rest) throws Exception {
        long start = System.nanoTime();
        states(
                "all wait for memory",
                count,
                job -> job.status() == JobStatus.WAITING_FOR_RESOURCES
                                && job.waiting().current().code() == ReasonCode.NO_MEMORY
                        ? "NO_MEMORY"
                        : job.status() + " " + job.waiting().current().code());
        System.out.printf(
                "IdleJobsIT: all %d wait with their reason %d ms later%n",
                count, (System.nanoTime() - start) / 1_000_000);
        assertEquals("no worker is started for them", List.of(), cluster.state().workers());
        ControlPlaneSample sample = ControlPlaneSample.of(rest);
        print("with " + count + " jobs", sample);
        return sample;
    }

    /** Waits until all jobs of the list are in one state. */
    private void states(String what, int count, Function<JobDetails, String> state) throws Exception {
        SortedMap<String, Integer> seen = new TreeMap<>();
        Await.until(() -> what + ", but " + seen, LIMIT, () -> {
            seen.clear();
            cluster.jobs().forEach(job -> seen.merge(state.apply(job), 1, Integer::sum));
            return seen.size() == 1
                    && seen.containsValue(count)
                    && !seen.firstKey().contains(" ");
        });
    }

    private void forgetEndedJobs() throws Exception {
        var configuration = configurations.getConfiguration("io.berth.core.dispatcher", null);
        var properties = configuration.getProperties();
        properties.put("jobs.kept", "0");
        configuration.update(properties);
    }

    private static void assertObjects(long count, ControlPlaneSample sample) {
        PER_JOB.forEach(
                type -> assertEquals(type, count, (long) sample.objects().getOrDefault(type, 0L)));
    }

    private static void assertThreads(ControlPlaneSample few, ControlPlaneSample then) {
        List<String> more = then.moreThreadsThan(few);
        for (Map.Entry<String, Integer> entry : then.threads().entrySet()) {
            assertTrue(
                    more.toString(),
                    entry.getValue() - few.threads().getOrDefault(entry.getKey(), 0) <= MORE_OF_A_NAME);
        }
        assertTrue(more.toString(), then.threadCount() - few.threadCount() <= MORE_THREADS);
    }

    private static void print(String when, ControlPlaneSample sample) {
        System.out.printf(
                "IdleJobsIT: %s: %d threads, heap %.1f MB, CPU %.1f ms a second, most of it %s%n  %s%n",
                when,
                sample.threadCount(),
                sample.heapBytes() / 1e6,
                sample.cpuMillisPerSecond(),
                sample.busiest(5),
                sample.threads());
    }
}

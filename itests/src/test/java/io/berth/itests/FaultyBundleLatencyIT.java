package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertTrue;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.JobId;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/**
 * Measures how long the answer of a JobMaster to a heartbeat, the answer of the ResourceManager's main thread to a
 * question, and the cancel of a job take, without a faulty bundle and with an active one of each class. Prints a table and
 * writes it to {@code berth.latency.report}. Asserts only that nothing was given up, that all cancels ended and that
 * the faulty bundles were called. {@code -Dberth.latency.rounds} makes the samples larger.
 */
@Category(Figures.class)
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class FaultyBundleLatencyIT extends FaultyBundleCluster {

    private static final String ROUNDS = "berth.latency.rounds";
    private static final String REPORT = "berth.latency.report";
    private static final int HEARTBEATS_A_ROUND = 80;
    private static final int RUNNING_A_ROUND = 4;
    private static final long PAUSE_NANOS = 2_000_000;
    private static final long POLL_NANOS = 1_000_000;

    @Inject
    private RpcService rpc;

    private final ExecutorService starter = Executors.newCachedThreadPool();
    private final List<String> table = new ArrayList<>();
    private final int rounds = Math.max(3, Integer.getInteger(ROUNDS));

    /** When faulty bundles arrive: in each round new ones, all of them or one in turn, or once for all rounds. */
    private enum Coming {
        ALL,
        IN_TURN,
        ONCE,
        ONCE_BLOCKING
    }

    /** One fault, where it happens, and the call that is counted when it is active. */
    private record Strike(String kind, String deed, String at, String counted) {

        String name() {
            return deed + "-at-" + at;
        }
    }

    @Override
    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.cluster(3, 3, 4),
            BerthContainer.deadlines(deadlineMillis()),
            systemProperty(ROUNDS).value(System.getProperty(ROUNDS)),
            systemProperty(REPORT).value(System.getProperty(REPORT))
        };
    }

    /** This many hang, one after the other. */
    @Override
    int deadlineMillis() {
        return 500;
    }

    @After
    public void endTheThreads() {
        starter.shutdownNow();
    }

    @Test
    public void heartbeatsAndCancelsWithFaultyBundles() throws Exception {
        JobId through = cluster.jobs().stream()
                .filter(one -> one.status() == JobStatus.EXECUTING)
                .findFirst()
                .orElseThrow()
                .id();
        measure("warming up", through, Coming.ALL, List.of());
        table.clear();
        measure("no faulty bundle", through, Coming.ALL, List.of());
        measure("throws", through, Coming.IN_TURN, inEachCall("runtime-exception"));
        measure("hangs", through, Coming.IN_TURN, inEachCall("loop"));
        measure("floods the log", through, Coming.IN_TURN, inEachCall("log"));
        measure(
                "backend floods with reports",
                through,
                Coming.ALL,
                List.of(new Strike("backend", "reports-flood", "declare", "reported")));
        measure("comes and goes", through, Coming.ONCE, List.of(new Strike("matching", "flap", "started", "flapped")));
        measure(
                "activator blocks",
                through,
                Coming.ONCE_BLOCKING,
                List.of(
                        new Strike("matching", "loop", "start", "start"),
                        new Strike("scaling", "loop", "started", "started")));
        measure(
                "factory blocks",
                through,
                Coming.ALL,
                List.of(
                        new Strike("matching", "loop", "create", "create"),
                                new Strike("distribution", "loop", "describe", "describe"),
                        new Strike("scaling", "loop", "create", "create"),
                                new Strike("backend", "loop", "create", "create")));
        measure("faulty bundles removed", through, Coming.ALL, List.of());
        String report = String.format(
                Locale.ROOT,
                "%d heartbeats, %d cancels of running jobs and %d of jobs that wait for a decision each; %d processors, load %.1f"
                        + "%n%n| | heartbeat, us: p50 | p99 | most | ResourceManager, us: p50 | p99 | most | cancel running, ms: p50"
                        + " | p99 | most | cancel waiting, ms: p50 | p99 | most | oldest heartbeat of a worker, ms |%n"
                        + "|---".repeat(14) + "|%n%s%n",
                rounds * HEARTBEATS_A_ROUND,
                rounds * RUNNING_A_ROUND,
                rounds,
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                String.join("\n", table));
        System.out.println(report);
        Files.writeString(Path.of(System.getProperty(REPORT)), report);
    }

    private static List<Strike> inEachCall(String deed) {
        return List.of(
                new Strike("matching", deed, "place", "place"),
                new Strike("distribution", deed, "admit", "admit"),
                new Strike("scaling", deed, "desire", "desire"));
    }

    private void measure(String name, JobId through, Coming coming, List<Strike> strikes) throws Exception {
        Samples samples = new Samples(rounds * HEARTBEATS_A_ROUND, rounds * RUNNING_A_ROUND, rounds);
        List<Future<?>> blocked = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            List<JobId> running = new ArrayList<>();
            for (int i = 0; i < RUNNING_A_ROUND; i++) {
                running.add(cluster.submit(Jobs.sequence("victim", bundle, 1L << 40, 1_000, 1, 1)));
            }
            for (JobId one : running) {
                cluster.running(one, LIMIT);
            }
            int before = coming == Coming.IN_TURN ? calls(strikes.get(round % strikes.size())) : 0;
            if (coming == Coming.ALL || coming == Coming.ONCE && round == 0) {
                come(strikes);
            } else if (coming == Coming.IN_TURN) {
                come(List.of(strikes.get(round % strikes.size())));
            } else if (coming == Coming.ONCE_BLOCKING && round == 0) {
                for (Strike one : strikes) {
                    blocked.add(starter.submit(() -> faultyBundles.strike(one.kind(), one.deed(), one.at())));
                    atWork(one);
                }
            }
            // Its decision calls the faulty bundle while everything below is measured.
            JobId waiting = cluster.submit(Jobs.sequence("asks", bundle, 1L << 40, 1_000, 1, 1));
            if (coming == Coming.IN_TURN) {
                Strike one = strikes.get(round % strikes.size());
                Await.until(one + " is called", LIMIT, () -> calls(one) > before);
            }
            heartbeats(through, samples);
            samples.waiting.add(cancel(waiting));
            for (JobId one : running) {
                samples.running.add(cancel(one));
            }
            if (coming == Coming.ALL || coming == Coming.IN_TURN) {
                for (Strike one : coming == Coming.ALL ? strikes : List.of(strikes.get(round % strikes.size()))) {
                    atWork(one);
                }
                // Hanging calls end: a bundle that keeps too many threads is not called again.
                others();
            }
        }
        for (Strike one : coming == Coming.ONCE || coming == Coming.ONCE_BLOCKING ? strikes : List.<Strike>of()) {
            atWork(one);
        }
        undisturbed();
        table.add("| " + name + " | " + samples.text() + " |");
        System.out.println(table.get(table.size() - 1));
        faultyBundles.mercy();
        for (Future<?> one : blocked) {
            one.get(30, TimeUnit.SECONDS);
        }
        others();
    }

    /** Ends the hanging calls of existing faulty bundles; later ones are new. */
    private void others() throws Exception {
        faultyBundles.close();
        faultyBundles = new FaultyBundles(context, cluster, policies, bundle);
    }

    private void come(List<Strike> strikes) throws Exception {
        for (Strike one : strikes) {
            faultyBundles.strike(one.kind(), one.deed(), one.at());
        }
        for (Strike one : strikes) {
            // A policy decides only once it was inspected. One that blocks just then, or flaps, is already active.
            if (List.of("place", "admit", "desire").contains(one.at())) {
                faultyBundles.inspected(one.kind(), one.name());
            } else {
                atWork(one);
            }
        }
    }

    private void atWork(Strike one) throws Exception {
        Await.until(one + " is at work", LIMIT, () -> calls(one) > 0);
    }

    private int calls(Strike one) {
        return faultyBundles.calls(one.kind(), one.name(), one.counted());
    }

    private void heartbeats(JobId through, Samples samples) throws Exception {
        EndpointRef manager = Cluster.await(rpc.resolve(rpc.address(), EndpointName.RESOURCE_MANAGER));
        JobMasterGateway jobMaster =
                rpc.jobMaster(Cluster.await(rpc.resolve(rpc.address(), EndpointName.jobMaster(through))));
        ResourceManagerGateway resourceManager = rpc.resourceManager(manager);
        ResourceManagerId id = new ResourceManagerId(manager.token());
        for (int i = 0; i < HEARTBEATS_A_ROUND; i++) {
            long began = System.nanoTime();
            Cluster.await(jobMaster.heartbeatFromResourceManager(id, Long.MAX_VALUE, List.of()));
            samples.heartbeats.add(System.nanoTime() - began);
            began = System.nanoTime();
            ClusterDetails details = Cluster.await(resourceManager.clusterDetails(ClusterQuery.ALL));
            samples.questions.add(System.nanoTime() - began);
            samples.aged(details.workers().stream()
                    .mapToLong(WorkerDetails::lastHeartbeatAgeMillis)
                    .max()
                    .orElse(0));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Measures until the job is seen canceled. */
    private long cancel(JobId job) throws Exception {
        long began = System.nanoTime();
        cluster.cancel(job);
        while (cluster.job(job).status() != JobStatus.CANCELED) {
            assertTrue("job " + job + " ends", System.nanoTime() - began < LIMIT.toNanos());
            LockSupport.parkNanos(POLL_NANOS);
        }
        return System.nanoTime() - began;
    }

    /** The measured values of one class of faulty bundles. */
    private static final class Samples {

        private final List<Long> heartbeats;
        private final List<Long> questions;
        private final List<Long> running;
        private final List<Long> waiting;
        private long oldestMillis;

        private Samples(int heartbeats, int running, int waiting) {
            this.heartbeats = new ArrayList<>(heartbeats);
            this.questions = new ArrayList<>(heartbeats);
            this.running = new ArrayList<>(running);
            this.waiting = new ArrayList<>(waiting);
        }

        private void aged(long millis) {
            oldestMillis = Math.max(oldestMillis, millis);
        }

        private String text() {
            return of(heartbeats, 1_000) + " | " + of(questions, 1_000) + " | " + of(running, 1_000_000) + " | "
                    + of(waiting, 1_000_000) + " | " + oldestMillis;
        }

        private static String of(List<Long> nanos, long unit) {
            List<Long> sorted = nanos.stream().sorted().toList();
            int last = sorted.size() - 1;
            return sorted.get(last / 2) / unit + " | " + sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1) / unit
                    + " | " + sorted.get(last) / unit;
        }
    }
}

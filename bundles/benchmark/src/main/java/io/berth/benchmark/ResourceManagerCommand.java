package io.berth.benchmark;

import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.decision.WholeDecision;
import io.berth.benchmark.measure.Figures;
import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.report.Report;
import io.berth.benchmark.stub.StubCluster;
import io.berth.benchmark.workload.SplitMix;
import io.berth.benchmark.workload.Workload;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Measures the ResourceManager path with stubs of workers and JobMasters. */
@Command(
        name = "resource-manager",
        footer = {"", Benchmarks.HEAP},
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures the ResourceManager with stubs of workers and JobMasters in the same process, which acknowledge at"
                    + " once: registration of workers; from declarations until all slots are acknowledged; from a freed slot"
                    + " until the next is requested; a restart of the ResourceManager until all workers with their slots"
                    + " and all jobs are registered again."
        })
final class ResourceManagerCommand implements Callable<Integer> {

    private static final int WARM_RESTARTS = 2;
    /** A run takes some 20 ms, and each has a garbage collection before it: in 5 s there are too few to be warm. */
    private static final int WARM_MILLIS = 30_000;

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Mixin
    private Options options;

    @Option(
            names = "--check-delay-ms",
            paramLabel = "MILLIS",
            description = "How long changes are collected before they are planned together. Default: 50, as the"
                    + " ResourceManager's")
    private int checkDelayMillis = 50;

    @Option(
            names = "--freed",
            paramLabel = "N",
            description = "Number of slots that are freed one at a time. Default: 50")
    private int freed = 50;

    @Override
    public Integer call() {
        Workload workload = options.workload();
        Measuring measuring = options.measuring(clock, WARM_MILLIS);
        options.within("--check-delay-ms", checkDelayMillis, 0, 60_000);
        options.within("--freed", freed, 0, 1_000_000);
        try (Policies policies = new Policies(options.strategy(), clock)) {
            int placeable = placeable(policies, workload);
            long heapBefore = heapUsed();
            try (StubCluster cluster = new StubCluster(workload, policies, clock, checkDelayMillis)) {
                measure(workload, measuring, cluster, placeable, heapBefore);
            }
        }
        return 0;
    }

    /** How many slots one decision places; the measurement waits for this number. */
    private int placeable(Policies policies, Workload workload) {
        benchmarks.progress("finding out how many slots " + options.policy() + " places: " + options.describe());
        options.warm(clock, policies);
        try (Pool pool = new Pool(policies, options.policy())) {
            WholeDecision decision = new WholeDecision(workload, pool);
            decision.restore();
            decision.run();
            return workload.requests() - decision.unplaced();
        }
    }

    private void measure(Workload workload, Measuring measuring, StubCluster cluster, int placeable, long heapBefore) {
        List<WorkerRegistration> registrations = cluster.registrations();
        Figures registering = new Figures();
        Figures allocating = new Figures();
        benchmarks.progress("warming up");
        long begun = clock.nanos();
        boolean warm = false;
        while (allocating.runs() < measuring.runs()) {
            cluster.beginTerm();
            cluster.forgetSlots();
            measuring.once(warm ? registering : new Figures(), () -> cluster.register(registrations));
            cluster.registerJobs();
            measuring.once(warm ? allocating : new Figures(), () -> {
                cluster.declare();
                cluster.awaitSlots(placeable);
            });
            if (!warm) {
                warm = clock.nanos() - begun >= measuring.warmMillis() * 1_000_000;
                if (warm) {
                    benchmarks.progress("measuring");
                }
            }
        }
        long heap = heapUsed();
        Figures returning = restart(measuring, cluster);
        long requestedAgain = requestedAgain(workload, cluster);
        // After the restart, in which all slots were reported as taken: jobs that reject slots wait before they get
        // more.
        Figures replacing = replace(workload, measuring, cluster);
        Report report = options.stated("resource-manager", workload)
                .number("checkDelayMillis", checkDelayMillis)
                .spread("cpuNanosPerSlot", allocating.cpuNanos(), placeable)
                .spread("bytesPerSlot", allocating.bytes(), placeable)
                .spread("cpuMillis", allocating.cpuNanos(), 1e6)
                .spread("wallMillis", allocating.wallNanos(), 1e6)
                .number("runs", allocating.runs())
                .number("unplaced", workload.requests() - placeable)
                .spread("cpuNanosPerRegisteredWorker", registering.cpuNanos(), workload.workers())
                .spread("bytesPerRegisteredWorker", registering.bytes(), workload.workers());
        report.number("slotsFreed", replacing.runs());
        if (replacing.runs() > 0) {
            report.spread("cpuMicrosFreedToRequest", replacing.cpuNanos(), 1e3)
                    .spread("wallMicrosFreedToRequest", replacing.wallNanos(), 1e3)
                    .spread("bytesFreedToRequest", replacing.bytes(), 1);
        }
        report.spread("cpuMillisOfReturn", returning.cpuNanos(), 1e6)
                .spread("wallMillisOfReturn", returning.wallNanos(), 1e6)
                .spread("bytesOfReturnPerSlot", returning.bytes(), placeable)
                .number("slotsRequestedAfterReturn", requestedAgain)
                .number("heapUsedMebibytes", heap >> 20)
                .number("heapBytesPerSlot", (double) (heap - heapBefore) / placeable)
                .number("heapLimitMebibytes", Runtime.getRuntime().maxMemory() >> 20);
        benchmarks.print(report);
    }

    private Figures replace(Workload workload, Measuring measuring, StubCluster cluster) {
        benchmarks.progress("freeing slots");
        SplitMix random = new SplitMix(options.seed());
        Figures figures = new Figures();
        int tried = 0;
        for (int warm = 0; warm < Math.min(freed, workload.requests() / 2); warm++) {
            cluster.replaceSlotOf(random.next(workload.workers()));
        }
        while (figures.runs() < freed && tried++ < freed * 100) {
            int worker = random.next(workload.workers());
            Figures one = new Figures();
            boolean[] had = {false};
            cluster.barrier();
            measuring.onceAsItIs(one, () -> had[0] = cluster.replaceSlotOf(worker));
            if (had[0]) {
                figures.add(
                        one.cpuNanos().median(),
                        one.wallNanos().median(),
                        one.bytes().median());
            }
        }
        return figures;
    }

    /** Restarts the ResourceManager: workers and jobs report to the new one what the previous one knew. */
    private Figures restart(Measuring measuring, StubCluster cluster) {
        benchmarks.progress("restarting the ResourceManager");
        Figures figures = new Figures();
        for (int restart = 0; restart < WARM_RESTARTS + measuring.runs(); restart++) {
            List<WorkerRegistration> returning = cluster.registrations();
            cluster.beginTerm();
            measuring.once(restart < WARM_RESTARTS ? new Figures() : figures, () -> {
                cluster.register(returning);
                cluster.registerJobs();
                cluster.declare();
                cluster.barrier();
            });
        }
        return figures;
    }

    /**
     * How many slots were requested although workers had reported that they have them. It counts one plan later, when
     * all are known.
     */
    private static long requestedAgain(Workload workload, StubCluster cluster) {
        long before = cluster.slotsBeforeTerm();
        for (int worker = 0; worker < workload.workers(); worker++) {
            if (cluster.replaceSlotOf(worker)) {
                cluster.barrier();
                return cluster.slots() - before - 1;
            }
        }
        return cluster.slots() - before;
    }

    private static long heapUsed() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}

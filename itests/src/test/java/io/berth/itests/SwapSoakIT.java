package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.itests.SwapScript.Action;
import io.berth.itests.SwapScript.Swap;
import io.berth.spi.PolicyKind;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import javax.inject.Inject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.BundleContext;
import org.osgi.framework.wiring.FrameworkWiring;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * The deciding policy changes again and again, in every possible way. Meanwhile jobs arrive, change and leave on many
 * workers without tasks, and three real jobs run. Nothing is lost, duplicated, restarted or left over. {@link
 * SoakOptions} says how long it takes.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class SwapSoakIT {

    /** From this number of swaps on, the resource use of the process is compared. */
    private static final int LONG = 1_000;

    @Inject
    private BundleContext context;

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    @Inject
    private PolicyOperations policies;

    @Inject
    private RpcService rpc;

    @Inject
    private ConfigurationAdmin configurations;

    private final SoakOptions options = SoakOptions.given();
    private final SoakFigures figures = new SoakFigures();
    private final WiringWatch wirings = new WiringWatch();
    private Cluster cluster;
    private StubProcess stubs;
    private SoakBundles bundles;
    private DecisionTrail trail;
    private RealJobs real;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.cluster(2, 2, 4),
            BerthContainer.artifact("berth.sample.kar"),
            BerthContainer.artifact(Simulator.JAR),
            // Small, so that the logs are full long before the resource use is compared.
            BerthContainer.configuration("core.policies", "decisions.kept", 1_000),
            BerthContainer.configuration("core.policies", "swaps.kept", 500),
            SoakOptions.options()
        };
    }

    @Test
    public void losesNothingWhileTheDeciderChanges() throws Exception {
        long began = System.nanoTime();
        cluster = new Cluster(jobs, operations);
        String bundle = cluster.bundle(Cluster.file("berth.sequence.jar"));
        cluster.workers(2, LIMIT);
        bundles = new SoakBundles(context, wirings);
        trail = new DecisionTrail(policies);
        SoakJournal journal = new SoakJournal(configurations, policies);
        try (StubProcess process = new StubProcess(
                        SoakOptions.classes(),
                        rpc.address().toString(),
                        options.load(),
                        Cluster.scratch("stubs").resolve("stubs.log"));
                RealJobs beside = new RealJobs(cluster, bundle, options.jobSeconds());
                BundleChanges changes = new BundleChanges(context)) {
            stubs = process;
            real = beside;
            real.start();
            begin();
            if (options.journal()) {
                journal.begin();
            }
            soak(changes);
            end();
            if (options.journal()) {
                figures.note(journal.end(
                        SoakOptions.report().resolveSibling("storm"), bundles, options.recordedDecisions()));
            }
        } finally {
            figures.note(String.format(
                    "%n%s: %d swaps, seed %d, %s; %d processors, load %.1f, Java %s, %d s",
                    options.name(),
                    options.swaps(),
                    options.load().seed(),
                    options.load(),
                    Runtime.getRuntime().availableProcessors(),
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                    Runtime.version(),
                    Duration.ofNanos(System.nanoTime() - began).toSeconds()));
            String report = figures.text();
            System.out.println(report);
            Files.writeString(SoakOptions.report(), report);
        }
    }

    /** All workers and the first jobs have been there for some time. */
    private void begin() throws Exception {
        int workers = options.load().workers();
        Await.until("the stub workers registered", LIMIT, () -> stubs.number("registered") == workers);
        stubs.ask("run");
        Await.until(
                "the first jobs",
                LIMIT,
                () -> Integer.parseInt(stubs.ask("counts").get(0).split(" ")[0])
                        >= options.load().jobs() * 9 / 10);
        pause(options.baselineSeconds() * 1_000);
        settle();
        stubs.ask("delays");
        trail.begin(LIMIT);
        stubs.ask("run");
    }

    /** The same load without swaps, for comparison. */
    private void withoutSwaps() throws Exception {
        pause(options.baselineSeconds() * 1_000);
        settle();
        trail.checkUnchanged();
        delays("declared to requested, without swaps");
    }

    private void soak(BundleChanges changes) throws Exception {
        String shipped = Arrays.stream(context.getBundles())
                .filter(bundle -> "io.berth.matching.firstfit".equals(bundle.getSymbolicName()))
                .findFirst()
                .orElseThrow()
                .getVersion()
                .toString();
        SwapScript script = new SwapScript(options.load().seed(), shipped);
        Random pauses = new Random(options.load().seed());
        int between = Math.max(1, options.swaps() / options.checks());
        changes.take();
        for (int number = 1; number <= options.swaps(); number++) {
            Swap swap = script.next();
            long collecting = collectorMillis();
            CoreTimes cores = CoreTimes.now();
            long before = System.nanoTime();
            perform(swap);
            List<SwapDetails> records = trail.await(swap.kind(), swap.decider(), swap.version(), LIMIT);
            long collected = collectorMillis() - collecting;
            long lasted = (System.nanoTime() - before) / 1_000;
            figures.micros("swap begun to first decision", lasted);
            String threads = CoreTimes.now().since(cores);
            figures.count("swaps by " + swap.action());
            for (SwapDetails record : records) {
                figures.count("records, " + record.kind().label() + ", "
                        + record.cause().label());
                figures.count("ledger: " + record.ledger().verdict().label().split(";")[0]);
                if (record.addedDelayMicros() >= 0) {
                    figures.micros("added delay of records", record.addedDelayMicros());
                    figures.slow(
                            record.addedDelayMicros(),
                            "swap " + number + " " + swap.action() + ", record "
                                    + record.number() + " " + record.cause().label() + ": to "
                                    + record.kind().label() + " " + record.to().name()
                                    + " " + record.to().version() + ", usual " + record.usualMicros() / 1_000.0
                                    + ", garbage collector " + collected + " ms; " + lasted / 1_000.0
                                    + " ms from its beginning to the first decision: " + threads);
                    figures.micros("delay of records", record.delayMicros());
                    figures.micros("usual delay of records", record.usualMicros());
                }
            }
            assertOneBundle(swap, changes);
            real.check();
            pause(pauses.nextInt(options.pauseMillis()));
            if (number % between == 0) {
                settle();
                delays("declared to requested, with swaps");
                wirings.assertCollected(LIMIT);
                figures.sample();
                System.out.println(
                        "after " + number + " swaps: " + stubs.ask("counts").get(0) + ", " + trail.count()
                                + " decisions, " + wirings.count() + " wirings gone");
                stubs.ask("run");
            }
        }
    }

    /** How long this process was paused for garbage collections up to now. */
    private static long collectorMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    private void end() throws Exception {
        withoutSwaps();
        figures.note(stubs.ask("counts").get(0));
        int ended = real.finish();
        assertTrue("real jobs: " + ended, ended >= 3);
        figures.note(ended + " real jobs ended without a restart and with all records; " + trail.count()
                + " decisions by the right generation; " + wirings.count() + " wirings collected");
        stubs.ask("leave");
        Await.until(
                "all slots are free again", LIMIT, () -> cluster.state().slots().isEmpty());
        assertEquals(List.of(), stubs.ask("table"));
        assertEquals("no stub worker was given up", options.load().workers(), stubs.number("registrations"));
        assertEquals(List.of(), stubs.ask("violations"));
        wirings.assertCollected(LIMIT);
        if (options.swaps() >= LONG) {
            figures.assertFlat();
        }
    }

    private void perform(Swap swap) throws Exception {
        String name = swap.policy();
        switch (swap.action()) {
            case INSTALL -> bundles.install(swap.kind(), name, swap.policyVersion(), swap.number());
            case UPDATE -> bundles.update(swap.kind(), name, swap.policyVersion(), swap.number());
            case UNINSTALL -> bundles.uninstall(name);
            case RANKING -> bundles.rank(name, swap.number());
            case CONFIGURATION -> {
                Dictionary<String, Object> properties = new Hashtable<>();
                properties.put("step", Integer.toString(swap.number()));
                configurations
                        .getConfiguration(SoakBundles.symbolicName(name), null)
                        .update(properties);
            }
            case USE -> use(swap.kind(), name);
        }
    }

    /** With the index, as two operators would do it. */
    private void use(PolicyKind kind, String name) {
        long index = policies.choices().stream()
                .filter(choice -> choice.kind() == kind)
                .mapToLong(ChoiceDetails::index)
                .findFirst()
                .orElseThrow();
        UseResult result = policies.use(kind, name, OptionalLong.of(index), "the soak test");
        assertTrue(result.toString(), result instanceof UseResult.Changed);
    }

    private void assertOneBundle(Swap swap, BundleChanges changes) {
        TreeSet<String> names = new TreeSet<>();
        changes.take().forEach(bundle -> names.add(bundle.split(" ")[0]));
        boolean bundle =
                swap.action() == Action.INSTALL || swap.action() == Action.UPDATE || swap.action() == Action.UNINSTALL;
        assertEquals(
                swap + " " + changes.events(),
                bundle ? List.of(SoakBundles.symbolicName(swap.policy())) : List.of(),
                List.copyOf(names));
        FrameworkWiring wiring = context.getBundle(0).adapt(FrameworkWiring.class);
        assertTrue(
                "nothing waits for a refresh: " + swap,
                wiring.getRemovalPendingBundles().isEmpty());
    }

    /** Stops arrivals, waits until each job has what it wants, and compares all sides of the ledger. */
    private void settle() throws Exception {
        stubs.ask("pause");
        Await.until(
                () -> "each job has what it wants: " + describe(() -> stubs.ask("unsettled")),
                LIMIT,
                () -> stubs.ask("unsettled").isEmpty());
        Await.until(
                () -> "one ledger, but " + describe(this::differences),
                LIMIT,
                () -> differences().isEmpty());
        assertEquals(List.of(), stubs.ask("violations"));
    }

    /** Differences between ResourceManager, stub workers and stub jobs. */
    private List<String> differences() throws Exception {
        List<String> counted = cluster.state().slots().stream()
                .filter(slot -> slot.worker().startsWith("stub-"))
                .map(slot -> slot.worker() + " " + slot.allocation() + " " + slot.job() + " " + slot.group())
                .toList();
        return new LedgerSides(counted, stubs.ask("table"), stubs.ask("held")).differences();
    }

    private static String describe(Callable<List<String>> question) {
        try {
            return question.call().toString();
        } catch (Exception failure) {
            return failure.toString();
        }
    }

    private void delays(String what) throws Exception {
        for (String line : stubs.ask("delays")) {
            figures.micros(what, Long.parseLong(line.split(" ")[1]) / 1_000);
        }
    }

    private static void pause(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}

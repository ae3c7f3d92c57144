package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.operations.PolicyOperations.PolicyDiagnosis;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.wiring.FrameworkWiring;

/**
 * Bundles that change while they are called, that flap, that do not resolve and that do not start (faults F58, F60,
 * F61 and F63), while jobs run.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class FaultyBundlesIT extends FaultyBundleCluster {

    private final ExecutorService thread = Executors.newFixedThreadPool(2);

    @After
    public void endTheThread() {
        thread.shutdownNow();
    }

    private interface Change {
        void of(Bundle bundle) throws Exception;
    }

    @Override
    int deadlineMillis() {
        return 5_000;
    }

    @Test
    public void f58_aBundleThatIsChangedDuringACallHarmsNoJob() throws Exception {
        for (String kind : KINDS) {
            String at = kind.equals("matching") ? "place" : kind.equals("distribution") ? "admit" : "desire";
            String name = "wait-at-" + at;
            midCall(kind, at, Bundle::uninstall);
            Await.until(
                    name + " is gone",
                    LIMIT,
                    () -> faultyBundles.find(kind, name).isEmpty());
            faultyBundles.assertCollected(List.of());
            midCall(
                    kind,
                    at,
                    bundle -> bundle.update(FaultyBundle.of(kind, name, "none", "none", 9_000)
                            .header("Bundle-Version", "2.0.0")
                            .jar()));
            faultyBundles.inspected(kind, name);
            faultyBundles.job();
            assertEquals("2.0.0", faultyBundles.details(kind, name).version());
            assertTrue(
                    "the next decisions are by the update: " + faultyBundles.details(kind, name),
                    faultyBundles.details(kind, name).decisions() > 0);
            faultyBundles.uninstall();
            midCall(kind, at, this::refresh);
            faultyBundles.uninstall();
            faultyBundles.assertCollected(List.of());
        }
    }

    private void midCall(String kind, String at, Change change) throws Exception {
        String name = "wait-at-" + at;
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        faultyBundles.shared.put(kind + "." + name + ".inside", inside);
        faultyBundles.shared.put(kind + "." + name + ".go", go);
        faultyBundles.strike(kind, "wait", at);
        faultyBundles.inspected(kind, name);
        Future<?> job = thread.submit(() -> faultyBundles.job());
        assertTrue("it is called", inside.await(30, TimeUnit.SECONDS));
        change.of(faultyBundles.bundle(kind, name));
        go.countDown();
        job.get(60, TimeUnit.SECONDS);
    }

    private void refresh(Bundle bundle) throws InterruptedException {
        CountDownLatch refreshed = new CountDownLatch(1);
        context.getBundle(0).adapt(FrameworkWiring.class).refreshBundles(List.of(bundle), event -> {
            if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED) {
                refreshed.countDown();
            }
        });
        assertTrue(refreshed.await(30, TimeUnit.SECONDS));
    }

    @Test
    public void f60_withAFlappingServiceOrEqualRankingsTheDeciderIsClear() throws Exception {
        for (String kind : KINDS) {
            faultyBundles.strike(kind, "flap", "started");
        }
        for (int i = 0; i < 3; i++) {
            faultyBundles.job();
        }
        for (String kind : KINDS) {
            Await.until(kind + " flapped", LIMIT, () -> faultyBundles.calls(kind, "flap-at-started", "flapped") > 50);
        }
        undisturbed();
        faultyBundles.mercy();
        faultyBundles.uninstall();
        faultyBundles.assertCollected(List.of());
        long lines;
        try (var log = Files.lines(Path.of(System.getProperty("karaf.log"), "karaf.log"))) {
            lines = log.filter(line -> line.contains("faulty.matching.flap-at-started"))
                    .count();
        }
        assertTrue("the log mentions it, and is not flooded: " + lines + " lines", lines > 0 && lines < 400);

        FaultyBundle second = FaultyBundle.of("matching", "equal-b", "none", "none", 20_000);
        FaultyBundle first = FaultyBundle.of("matching", "equal-a", "none", "none", 20_000);
        faultyBundles.start("equal-b", second);
        faultyBundles.inspected("matching", "equal-b");
        faultyBundles.start("equal-a", first);
        faultyBundles.inspected("matching", "equal-a");
        faultyBundles.job();
        assertEquals(
                "the one that was there first",
                "deciding",
                faultyBundles.details("matching", "equal-b").state());
        assertEquals(
                "outranked",
                faultyBundles.diagnosis("matching", "equal-a").verdict().label());
    }

    @Test
    public void f61_theResolverRejectsWhatDoesNotFitWithAReadableCause() throws Exception {
        FaultyBundle missing = good("missing-import");
        missing.header("Import-Package", missing.header("Import-Package") + ",com.example.missing");
        refused("missing-import", missing, "not resolved", "com.example.missing");

        FaultyBundle major = good("wrong-major");
        major.header(
                "Import-Package",
                major.header("Import-Package")
                        .replace(
                                "io.berth.spi.matching;version=\"[2.0,3)\"",
                                "io.berth.spi.matching;version=\"[3.0,4)\""));
        refused("wrong-major", major, "not resolved", "io.berth.spi.matching");

        FaultyBundle older = good("first-edition");
        older.header(
                "Import-Package", older.header("Import-Package").replace("version=\"[2.0,3)\"", "version=\"[1.2,2)\""));
        refused("first-edition", older, "not resolved", "it was built against other extension points");

        FaultyBundle java = good("newer-java");
        java.header("Require-Capability", "osgi.ee;filter:=\"(&(osgi.ee=JavaSE)(version=99))\"");
        refused("newer-java", java, "not resolved", "osgi.ee");

        FaultyBundle classes = good("newer-classes");
        String activator = "io/berth/itests/faulty/FaultyActivator.class";
        byte[] patched = classes.entry(activator).clone();
        patched[7] = 99;
        classes.entry(activator, patched);
        refused("newer-classes", classes, "not started", "Java 55");

        FaultyBundle module = good("module-info").entry("module-info.class", new byte[] {1, 2, 3});
        faultyBundles.start("module-info", module);
        faultyBundles.inspected("matching", "module-info");
        faultyBundles.job();
        assertEquals(
                "deciding", faultyBundles.details("matching", "module-info").state());

        FaultyBundle fragment = FaultyBundle.empty("faulty.fragment")
                .header("Fragment-Host", "io.berth.core.policies")
                .header("Provide-Capability", "io.berth.policy;kind=matching;name=fragment")
                .entry("io/berth/core/policies/guard/Guard.class", new byte[] {0});
        refused("fragment", fragment, "not resolved", "io.berth.core.policies");

        refused("split-package", withOwnSpi("split-package"), "not registered", "io.berth.spi");

        FaultyBundle export = withOwnSpi("duplicate-export");
        export.header("Export-Package", "io.berth.spi.matching;version=\"2.9.9\"");
        refused("duplicate-export", export, "not registered", "io.berth.spi");

        faultyBundles.job();
        faultyBundles.assertOthersUntouched();
        assertTrue(
                "nothing was refreshed: " + faultyBundles.changes().events(),
                faultyBundles.changes().events().stream().noneMatch(event -> event.contains("refreshed")));
    }

    private FaultyBundle good(String name) {
        return FaultyBundle.of("matching", name, "none", "none", 30_000);
    }

    /** Contains the classes of the extension point itself instead of importing them. */
    private FaultyBundle withOwnSpi(String name) throws Exception {
        FaultyBundle bundle = good(name);
        bundle.header(
                "Import-Package",
                bundle.header("Import-Package").replace("io.berth.spi.matching;version=\"[2.0,3)\",", ""));
        Bundle spi = Arrays.stream(context.getBundles())
                .filter(one -> "io.berth.spi".equals(one.getSymbolicName()))
                .findFirst()
                .orElseThrow();
        for (URL file : Collections.list(spi.findEntries("io/berth/spi/matching", "*.class", false))) {
            try (InputStream in = file.openStream()) {
                bundle.entry(file.getPath().substring(1), in.readAllBytes());
            }
        }
        return bundle;
    }

    private void refused(String name, FaultyBundle faulty, String verdict, String text) throws Exception {
        Bundle bundle = faultyBundles.install(faulty);
        try {
            bundle.start();
        } catch (BundleException refused) {
            assertFalse(refused.toString(), refused.getMessage().isEmpty());
        }
        PolicyDiagnosis diagnosis = faultyBundles.diagnosis("matching", name);
        assertEquals(diagnosis.toString(), verdict, diagnosis.verdict().label());
        assertTrue(diagnosis.toString(), diagnosis.text().contains(text));
        assertTrue(faultyBundles.find("matching", name).isEmpty());
    }

    @Test
    public void f63_aBundleThatDoesNotStartDelaysNothing() throws Exception {
        Future<?> loops = thread.submit(() -> faultyBundles.strike("matching", "loop", "start"));
        Await.until(
                "its activator blocks", LIMIT, () -> faultyBundles.calls("matching", "loop-at-start", "start") == 1);
        Future<?> late = thread.submit(() -> faultyBundles.strike("matching", "loop", "started"));
        Await.until(
                "this one blocks after it registered",
                LIMIT,
                () -> faultyBundles.calls("matching", "loop-at-started", "started") == 1);
        faultyBundles.job();
        faultyBundles.awaitVerdict("matching", "loop-at-start", "not registered", "its activator has not returned");
        assertEquals(
                "it is registered, so it may decide",
                "deciding",
                faultyBundles.details("matching", "loop-at-started").state());
        assertFalse(loops.isDone());
        assertFalse(late.isDone());
        undisturbed();

        FaultyBundle throwing = FaultyBundle.of("scaling", "throws", "runtime-exception", "start", 40_000);
        Bundle bundle = faultyBundles.install(throwing);
        try {
            bundle.start();
            throw new AssertionError("it starts");
        } catch (BundleException refused) {
            assertTrue(
                    String.valueOf(refused.getCause()),
                    String.valueOf(refused.getCause()).contains("on purpose"));
        }
        faultyBundles.awaitVerdict("scaling", "throws", "not started", "bundle:start");

        FaultyBundle cycle = FaultyBundle.of("matching", "cycle", "none", "none", 50_000)
                .without("Bundle-Activator")
                .header("Service-Component", "OSGI-INF/one.xml,OSGI-INF/two.xml")
                .entry(
                        "OSGI-INF/one.xml",
                        component(
                                        "one",
                                        "io.berth.spi.matching.MatchingStrategyFactory",
                                        "java.lang.Runnable",
                                        "(cycle=two)")
                                .getBytes())
                .entry(
                        "OSGI-INF/two.xml",
                        component(
                                        "two",
                                        "java.lang.Runnable",
                                        "io.berth.spi.matching.MatchingStrategyFactory",
                                        "(cycle=one)")
                                .getBytes());
        Bundle cycling = faultyBundles.start("cycle", cycle);
        cycling.start();
        faultyBundles.awaitVerdict("matching", "cycle", "not registered", "scr:components");
        faultyBundles.job();

        faultyBundles.mercy();
        loops.get(30, TimeUnit.SECONDS);
        late.get(30, TimeUnit.SECONDS);
        faultyBundles.uninstall();
        faultyBundles.assertCollected(List.of());
    }

    private static String component(String name, String provided, String needed, String target) {
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.3.0" name="faulty.cycle.%1$s">
          <implementation class="io.berth.itests.faulty.CyclingFactory"/>
          <property name="cycle" value="%1$s"/>
          <property name="io.berth.policy.name" value="cycle"/>
          <service><provide interface="%2$s"/></service>
          <reference name="other" interface="%3$s" target="%4$s" bind="bind"/>
        </scr:component>
        """.formatted(name, provided, needed, target);
    }
}

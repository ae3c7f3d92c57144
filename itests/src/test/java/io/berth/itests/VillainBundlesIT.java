package io.berth.itests;

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
public class VillainBundlesIT extends VillainCluster {

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
            String at = kind.equals("matching") ? "place" : kind.equals("distribution") ? "admit" : "plan";
            String name = "wait-at-" + at;
            midCall(kind, at, Bundle::uninstall);
            Await.until(
                    name + " is gone",
                    Villains.LIMIT,
                    () -> villains.find(kind, name).isEmpty());
            villains.assertCollected(List.of());
            midCall(
                    kind,
                    at,
                    bundle -> bundle.update(VillainBundle.of(kind, name, "none", "none", 9_000)
                            .header("Bundle-Version", "2.0.0")
                            .jar()));
            villains.inspected(kind, name);
            villains.job();
            assertEquals("2.0.0", villains.details(kind, name).version());
            assertTrue(
                    "the next decisions are by the update: " + villains.details(kind, name),
                    villains.details(kind, name).decisions() > 0);
            villains.uninstall();
            midCall(kind, at, this::refresh);
            villains.uninstall();
            villains.assertCollected(List.of());
        }
    }

    private void midCall(String kind, String at, Change change) throws Exception {
        String name = "wait-at-" + at;
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        villains.shared.put(kind + "." + name + ".inside", inside);
        villains.shared.put(kind + "." + name + ".go", go);
        villains.strike(kind, "wait", at);
        villains.inspected(kind, name);
        Future<?> job = thread.submit(() -> villains.job());
        assertTrue("it is called", inside.await(30, TimeUnit.SECONDS));
        change.of(villains.bundle(kind, name));
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
            villains.strike(kind, "flap", "started");
        }
        for (int i = 0; i < 3; i++) {
            villains.job();
        }
        for (String kind : KINDS) {
            Await.until(
                    kind + " flapped", Villains.LIMIT, () -> villains.calls(kind, "flap-at-started", "flapped") > 50);
        }
        undisturbed();
        villains.mercy();
        villains.uninstall();
        villains.assertCollected(List.of());
        long lines;
        try (var log = Files.lines(Path.of(System.getProperty("karaf.log"), "karaf.log"))) {
            lines = log.filter(line -> line.contains("villain.matching.flap-at-started"))
                    .count();
        }
        assertTrue("the log mentions it, and is not flooded: " + lines + " lines", lines > 0 && lines < 400);

        VillainBundle second = VillainBundle.of("matching", "equal-b", "none", "none", 20_000);
        VillainBundle first = VillainBundle.of("matching", "equal-a", "none", "none", 20_000);
        villains.start("equal-b", second);
        villains.inspected("matching", "equal-b");
        villains.start("equal-a", first);
        villains.inspected("matching", "equal-a");
        villains.job();
        assertEquals(
                "the one that was there first",
                "deciding",
                villains.details("matching", "equal-b").state());
        assertEquals(
                "outranked", villains.diagnosis("matching", "equal-a").verdict().label());
    }

    @Test
    public void f61_theResolverRejectsWhatDoesNotFitWithAReadableCause() throws Exception {
        VillainBundle missing = good("missing-import");
        missing.header("Import-Package", missing.header("Import-Package") + ",com.example.missing");
        refused("missing-import", missing, "not resolved", "com.example.missing");

        VillainBundle major = good("wrong-major");
        major.header(
                "Import-Package",
                major.header("Import-Package")
                        .replace(
                                "io.berth.spi.matching;version=\"[1.0,2)\"",
                                "io.berth.spi.matching;version=\"[2.0,3)\""));
        refused("wrong-major", major, "not resolved", "io.berth.spi.matching");

        VillainBundle java = good("newer-java");
        java.header("Require-Capability", "osgi.ee;filter:=\"(&(osgi.ee=JavaSE)(version=99))\"");
        refused("newer-java", java, "not resolved", "osgi.ee");

        VillainBundle classes = good("newer-classes");
        String activator = "io/berth/itests/villain/VillainActivator.class";
        byte[] patched = classes.entry(activator).clone();
        patched[7] = 99;
        classes.entry(activator, patched);
        refused("newer-classes", classes, "not started", "Java 55");

        VillainBundle module = good("module-info").entry("module-info.class", new byte[] {1, 2, 3});
        villains.start("module-info", module);
        villains.inspected("matching", "module-info");
        villains.job();
        assertEquals("deciding", villains.details("matching", "module-info").state());

        VillainBundle fragment = VillainBundle.empty("villain.fragment")
                .header("Fragment-Host", "io.berth.core.policies")
                .header("Provide-Capability", "io.berth.policy;kind=matching;name=fragment")
                .entry("io/berth/core/policies/guard/Guard.class", new byte[] {0});
        refused("fragment", fragment, "not resolved", "io.berth.core.policies");

        refused("split-package", withOwnSpi("split-package"), "not registered", "io.berth.spi");

        VillainBundle export = withOwnSpi("duplicate-export");
        export.header("Export-Package", "io.berth.spi.matching;version=\"1.9.9\"");
        refused("duplicate-export", export, "not registered", "io.berth.spi");

        villains.job();
        villains.assertOthersUntouched();
        assertTrue(
                "nothing was refreshed: " + villains.changes().events(),
                villains.changes().events().stream().noneMatch(event -> event.contains("refreshed")));
    }

    private VillainBundle good(String name) {
        return VillainBundle.of("matching", name, "none", "none", 30_000);
    }

    /** Contains the classes of the extension point itself instead of importing them. */
    private VillainBundle withOwnSpi(String name) throws Exception {
        VillainBundle bundle = good(name);
        bundle.header(
                "Import-Package",
                bundle.header("Import-Package").replace("io.berth.spi.matching;version=\"[1.0,2)\",", ""));
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

    private void refused(String name, VillainBundle villain, String verdict, String text) throws Exception {
        Bundle bundle = villains.install(villain);
        try {
            bundle.start();
        } catch (BundleException refused) {
            assertFalse(refused.toString(), refused.getMessage().isEmpty());
        }
        PolicyDiagnosis diagnosis = villains.diagnosis("matching", name);
        assertEquals(diagnosis.toString(), verdict, diagnosis.verdict().label());
        assertTrue(diagnosis.toString(), diagnosis.text().contains(text));
        assertTrue(villains.find("matching", name).isEmpty());
    }

    @Test
    public void f63_aBundleThatDoesNotStartDelaysNothing() throws Exception {
        Future<?> loops = thread.submit(() -> villains.strike("matching", "loop", "start"));
        Await.until(
                "its activator blocks",
                Villains.LIMIT,
                () -> villains.calls("matching", "loop-at-start", "start") == 1);
        Future<?> late = thread.submit(() -> villains.strike("matching", "loop", "started"));
        Await.until(
                "this one blocks after it registered",
                Villains.LIMIT,
                () -> villains.calls("matching", "loop-at-started", "started") == 1);
        villains.job();
        villains.awaitVerdict("matching", "loop-at-start", "not registered", "its activator has not returned");
        assertEquals(
                "it is registered, so it may decide",
                "deciding",
                villains.details("matching", "loop-at-started").state());
        assertFalse(loops.isDone());
        assertFalse(late.isDone());
        undisturbed();

        VillainBundle throwing = VillainBundle.of("scaling", "throws", "runtime-exception", "start", 40_000);
        Bundle bundle = villains.install(throwing);
        try {
            bundle.start();
            throw new AssertionError("it starts");
        } catch (BundleException refused) {
            assertTrue(
                    String.valueOf(refused.getCause()),
                    String.valueOf(refused.getCause()).contains("on purpose"));
        }
        villains.awaitVerdict("scaling", "throws", "not started", "bundle:start");

        VillainBundle cycle = VillainBundle.of("matching", "cycle", "none", "none", 50_000)
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
        Bundle cycling = villains.start("cycle", cycle);
        cycling.start();
        villains.awaitVerdict("matching", "cycle", "not registered", "scr:components");
        villains.job();

        villains.mercy();
        loops.get(30, TimeUnit.SECONDS);
        late.get(30, TimeUnit.SECONDS);
        villains.uninstall();
        villains.assertCollected(List.of());
    }

    private static String component(String name, String provided, String needed, String target) {
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.3.0" name="villain.cycle.%1$s">
          <implementation class="io.berth.itests.villain.CyclingFactory"/>
          <property name="cycle" value="%1$s"/>
          <property name="io.berth.policy.name" value="cycle"/>
          <service><provide interface="%2$s"/></service>
          <reference name="other" interface="%3$s" target="%4$s" bind="bind"/>
        </scr:component>
        """.formatted(name, provided, needed, target);
    }
}

package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import javax.management.ObjectName;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/**
 * Policies that change global state of the process, and that call the host from within its calls (faults F55 to F57).
 * What can be prevented or restored is; what cannot is reported when the bundle has stopped.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class FaultyBundleAbusesIT extends FaultyBundleCluster {

    private static final String[][] PLACES = {{"matching", "place"}, {"distribution", "admit"}, {"scaling", "desire"}};

    @Override
    int deadlineMillis() {
        return 5_000;
    }

    @Test
    public void f55_leftoversOfAPolicyAreReportedAndCleanedWherePossible() throws Exception {
        for (String deed :
                List.of("threads", "subclassed-thread", "timer", "executor", "thread-local", "mbean", "data", "log")) {
            for (Case one : inEachKind(deed)) {
                PolicyDetails details = faultyBundles.details(one.kind(), one.name());
                assertEquals(details.toString(), 0, details.failures());
                assertTrue(details.toString(), details.decisions() > 0);
            }
        }
        Path data = Path.of((String) faultyBundles.shared.get("matching.data-at-place.data"));
        assertTrue(Files.exists(data));
        faultyBundles.uninstall();
        assertFalse("the framework removes the data of a bundle", Files.exists(data));
        for (String[] place : PLACES) {
            assertLogged("faulty." + place[0] + ".threads-at-" + place[1], "faulty-thread-");
            assertLogged("faulty." + place[0] + ".subclassed-thread-at-" + place[1], "faulty-subclass-");
            assertLogged("faulty." + place[0] + ".timer-at-" + place[1], "faulty-timer-");
            assertLogged(
                    "faulty." + place[0] + ".mbean-at-" + place[1], "com.example.faulty:name=mbean-at-" + place[1]);
        }
        Await.until(
                "beans of faulty bundles are unregistered",
                LIMIT,
                () -> ManagementFactory.getPlatformMBeanServer()
                        .queryNames(new ObjectName("com.example.faulty:*"), null)
                        .isEmpty());
        faultyBundles.mercy();
    }

    /** A faulty bundle of each kind, and jobs until all of them were called, usually one. */
    private List<Case> inEachKind(String deed) throws Exception {
        List<Case> cases = Arrays.stream(PLACES)
                .map(place -> new Case(place[0], deed, place[1], ""))
                .toList();
        if (deed.endsWith("-self")) {
            // The job that runs through the test may call it, and it may be gone before the test looks.
            for (Case one : cases) {
                faultyBundles.strike(one.kind(), one.deed(), one.at());
            }
        } else {
            strike(cases);
        }
        Await.until("all were called: " + cases, LIMIT, () -> {
            faultyBundles.job();
            return cases.stream().allMatch(one -> faultyBundles.calls(one.kind(), one.name(), one.at()) > 0);
        });
        return cases;
    }

    /** A line of the log names what a bundle left behind. */
    private static void assertLogged(String bundle, String what) throws Exception {
        Await.until("the log says that  " + bundle + " left " + what, LIMIT, () -> {
            try (var log = Files.lines(Path.of(System.getProperty("karaf.log"), "karaf.log"))) {
                return log.anyMatch(
                        line -> line.contains("bundle " + bundle) && line.contains("left") && line.contains(what));
            }
        });
    }

    @Test
    public void f55_thousandsOfServicesOfOneBundleAreIgnored() throws Exception {
        for (String kind : KINDS) {
            faultyBundles.strike(kind, "services", "started");
        }
        faultyBundles.job();
        for (String kind : KINDS) {
            long offered = policies.policies().stream()
                    .filter(policy -> policy.kind() == FaultyBundles.kind(kind)
                            && policy.name().equals("services-at-started"))
                    .count();
            assertEquals("of 1,000", 32, offered);
        }
        faultyBundles.uninstall();
        faultyBundles.assertCollected(List.of());
    }

    @Test
    public void f56_changesOfGlobalStateInACallAreRestoredAndCounted() throws Exception {
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        PrintStream out = System.out;
        PrintStream err = System.err;
        Thread.UncaughtExceptionHandler uncaught = Thread.getDefaultUncaughtExceptionHandler();
        for (String[] deed : new String[][] {
            {"locale", "changed the default locale"},
            {"timezone", "changed the default time zone"},
            {"streams", "changed the standard output, the standard error output"},
            {"uncaught", "changed the handler of uncaught exceptions"},
            {"url-handler", "factory already defined"}
        }) {
            for (Case one : inEachKind(deed[0])) {
                // A change does not count while another bundle is called, too.
                Await.until("it counts: " + one, LIMIT, () -> {
                    boolean counts =
                            faultyBundles.details(one.kind(), one.name()).failures() > 0;
                    if (!counts) {
                        faultyBundles.job();
                    }
                    return counts;
                });
                faultyBundles.assertInDecisions(one.kind(), one.name(), deed[1]);
            }
        }
        assertEquals(locale, Locale.getDefault());
        assertEquals(zone, TimeZone.getDefault());
        assertSame(out, System.out);
        assertSame(err, System.err);
        assertSame(uncaught, Thread.getDefaultUncaughtExceptionHandler());
        faultyBundles.uninstall();
        faultyBundles.assertCollected(List.of());
    }

    @Test
    public void f57_callsOfTheHostFromWithinItsCallsAreAnsweredOrRejected() throws Exception {
        for (Case one : inEachKind("reenter")) {
            PolicyDetails details = faultyBundles.details(one.kind(), one.name());
            assertEquals(details.toString(), 0, details.failures());
            assertTrue("all calls were answered", faultyBundles.calls(one.kind(), one.name(), "reentered") > 0);
            assertTrue(String.valueOf(faultyBundles.shared.get(one.kind() + "." + one.name() + ".refused"))
                    .contains("is not quarantined"));
        }
        String backend = faultyBundles.strike("backend", "reenter", "declare");
        Await.until("the backend was answered", LIMIT, () -> faultyBundles.calls("backend", backend, "reentered") > 0);
        for (String deed : List.of("stop-self", "uninstall-self")) {
            for (Case one : inEachKind(deed)) {
                Await.until(
                        one + " is gone",
                        LIMIT,
                        () -> faultyBundles.find(one.kind(), one.name()).isEmpty());
            }
        }
        faultyBundles.job();
    }
}

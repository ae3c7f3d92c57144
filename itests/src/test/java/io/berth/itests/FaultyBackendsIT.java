package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/**
 * Backends that throw, hang, return nonsense or false reports about workers, and factories of every kind that cannot
 * be described or created (faults F50 to F52, F60 and F63). The workers of the other backend and its jobs are not
 * affected.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class FaultyBackendsIT extends FaultyBundleCluster {

    @Test
    public void f50_f51_f52_aBackendThatCannotBeUsedIsQuarantinedWithItsReason() throws Exception {
        List<Case> cases = List.of(
                new Case(
                        "backend",
                        "runtime-exception",
                        "create",
                        "create threw java.lang.IllegalStateException: on purpose"),
                new Case("backend", "out-of-memory", "create", "create threw java.lang.OutOfMemoryError"),
                new Case("backend", "thread-death", "specs", "create threw java.lang.ThreadDeath"),
                new Case("backend", "hostile-message", "specs", "Deeds$Hostile"),
                new Case("backend", "loop", "create", "create did not return within"),
                new Case("backend", "sleep", "specs", "create did not return within"),
                new Case("backend", "endless", "specs", "create did not return within"),
                new Case("backend", "null", "create", "create returned nothing"),
                new Case("backend", "null", "specs", "an empty list is allowed"),
                new Case("backend", "null-entry", "specs", "offers a spec that is nothing"),
                new Case("backend", "no-name", "specs", "offers a spec named 'null'"),
                new Case("backend", "no-total", "specs", "offers spec none without a size"),
                new Case("backend", "unknown-total", "specs", "offers spec unknown without a size"),
                new Case("backend", "twice", "specs", "offers spec tiny twice"),
                new Case("backend", "too-many", "specs", "offers more than 100 specs"),
                new Case("backend", "least-too-large", "specs", "offers 2147483647 workers of spec large"),
                new Case("backend", "deadlock", "declare", "declare did not return within"),
                new Case("backend", "network", "declare", "declare did not return within"));
        strike(cases);
        faultyBundles.job();
        for (Case one : cases) {
            faultyBundles.awaitVerdict(one.kind(), one.name(), "quarantined", one.text());
            PolicyDetails details = faultyBundles.details(one.kind(), one.name());
            assertTrue(details.toString(), details.failures() >= 1 && details.failures() <= 3);
        }
        undisturbed();
        faultyBundles.mercy();
        faultyBundles.uninstall();
        faultyBundles.assertCollected(List.of());
    }

    @Test
    public void f52_reportsOfABackendAboutForeignWorkersHaveNoEffect() throws Exception {
        faultyBundles.shared.put("foreign-worker", cluster.registered().get(0));
        List<Case> cases = List.of(
                new Case("backend", "reports-null", "declare", "worker null does not belong to backend"),
                new Case("backend", "reports-unknown", "declare", ""),
                new Case("backend", "reports-foreign", "declare", "does not belong to backend"),
                new Case("backend", "reports-flood", "declare", ""),
                new Case("backend", "runtime-exception", "declare", ""));
        strike(cases);
        for (Case one : cases) {
            if (one.deed().startsWith("reports")) {
                Await.until(
                        one + " has sent its false reports",
                        LIMIT,
                        () -> faultyBundles.calls(one.kind(), one.name(), "reported") > 0);
                assertTrue(
                        one + ": " + faultyBundles.shared.get("backend." + one.name() + ".refusal"),
                        String.valueOf(faultyBundles.shared.get("backend." + one.name() + ".refusal"))
                                .contains(one.text()));
            } else {
                // No other policy could decide on its workers: it is tried again, and counted.
                Await.until(
                        one + " is counted",
                        LIMIT,
                        () -> faultyBundles.details("backend", one.name()).failures() > 1);
            }
        }
        faultyBundles.job();
        assertEquals("no worker appeared", 3, cluster.state().workers().size());
        undisturbed();
        faultyBundles.uninstall();
        faultyBundles.assertCollected(List.of());
    }

    @Test
    public void f60_f63_aFactoryThatBlocksOrThrowsDelaysNothing() throws Exception {
        for (String kind : List.of("matching", "distribution", "scaling", "backend")) {
            for (String at : List.of("describe", "create")) {
                faultyBundles.strike(kind, "loop", at);
                faultyBundles.strike(kind, "runtime-exception", at);
            }
            faultyBundles.strike(kind, "null", "describe");
            faultyBundles.strike(kind, "other-name", "describe");
        }
        faultyBundles.job();
        for (String kind : List.of("matching", "distribution", "scaling", "backend")) {
            faultyBundles.awaitVerdict(kind, "loop-at-describe", "cannot be used", "describe did not return within");
            faultyBundles.awaitVerdict(kind, "runtime-exception-at-describe", "cannot be used", "on purpose");
            faultyBundles.awaitVerdict(kind, "null-at-describe", "cannot be used", "describes itself as nothing");
            faultyBundles.awaitVerdict(
                    kind, "other-name-at-describe", "cannot be used", "describes itself as 'somebody-else'");
            faultyBundles.awaitVerdict(kind, "loop-at-create", "quarantined", "create did not return within");
            faultyBundles.awaitVerdict(
                    kind,
                    "runtime-exception-at-create",
                    kind.equals("backend") ? "quarantined" : "configuration refused",
                    "on purpose");
        }
        undisturbed();
        faultyBundles.mercy();
        faultyBundles.uninstall();
        faultyBundles.assertCollected(List.of());
    }
}

package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/**
 * Policies of each kind that throw or hang, while jobs arrive and one runs. The fallback decides, the faulty policy is
 * counted, quarantined and named, and nothing else is affected (faults F50 and F51).
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class FaultyBundleCallsIT extends FaultyBundleCluster {

    @Test
    public void f50_exceptionsAreContainedAndTheFallbackDecides() throws Exception {
        List<Case> cases = new ArrayList<>();
        for (String[] place :
                new String[][] {{"matching", "place"}, {"distribution", "admit"}, {"scaling", "desire"}}) {
            cases.add(new Case(place[0], "runtime-exception", place[1], "java.lang.IllegalStateException: on purpose"));
            cases.add(new Case(place[0], "error", place[1], "java.lang.AssertionError: on purpose"));
            cases.add(new Case(place[0], "stack-overflow", place[1], "java.lang.StackOverflowError"));
            cases.add(new Case(place[0], "out-of-memory", place[1], "java.lang.OutOfMemoryError: on purpose"));
            cases.add(new Case(place[0], "thread-death", place[1], "java.lang.ThreadDeath"));
            cases.add(new Case(place[0], "linkage", place[1], "java.lang.NoClassDefFoundError: com/example/Missing"));
            cases.add(new Case(place[0], "checked", place[1], "java.lang.Exception: on purpose"));
            cases.add(new Case(place[0], "hostile-message", place[1], "Deeds$Hostile"));
            cases.add(new Case(place[0], "huge-message", place[1], "java.lang.IllegalStateException: xxx"));
            cases.add(new Case(place[0], "interrupted", place[1], "leaves its thread interrupted"));
            cases.add(new Case(place[0], "runtime-exception", "open", "java.lang.IllegalStateException: on purpose"));
        }
        strike(cases);
        for (int i = 0; i < 4; i++) {
            JobDetails job = faultyBundles.job();
            assertEquals(Cluster.text(job), 5, job.vertices().get(0).parallelism());
        }
        for (Case one : cases) {
            faultyBundles.awaitVerdict(one.kind(), one.name(), "quarantined", one.text());
            PolicyDetails details = faultyBundles.details(one.kind(), one.name());
            // A round of another job may have been in progress when the third failure came; of scaling it takes three
            // jobs, and each may ask several times.
            int max = one.kind().equals("scaling") ? 9 : 4;
            assertTrue(details.toString(), details.failures() >= 3 && details.failures() <= max);
            assertEquals(details.toString(), 0, details.decisions());
            // Two texts of up to 500 characters, when enough calls have failed to be named by their number too.
            assertTrue(details.toString(), details.state().length() < 1_200);
            if (!one.at().equals("open")) {
                // Opening may be tried between decisions, which then do not mention it.
                faultyBundles.assertInDecisions(one.kind(), one.name(), one.text());
            }
        }
        undisturbed();
        faultyBundles.uninstall();
        faultyBundles.assertCollected(List.of());
    }

    @Test
    public void f51_hangingCallsAreGivenUpAndTheFallbackDecides() throws Exception {
        List<Case> cases = new ArrayList<>();
        for (String[] place :
                new String[][] {{"matching", "place"}, {"distribution", "admit"}, {"scaling", "desire"}}) {
            cases.add(new Case(place[0], "sleep", place[1], place[0].equals("scaling") ? "decide" : place[1]));
            cases.add(new Case(place[0], "loop", place[1], place[0].equals("scaling") ? "decide" : place[1]));
            cases.add(new Case(place[0], "deadlock", place[1], place[0].equals("scaling") ? "decide" : place[1]));
            cases.add(new Case(place[0], "network", place[1], place[0].equals("scaling") ? "decide" : place[1]));
        }
        strike(cases);
        faultyBundles.job();
        for (Case one : cases) {
            faultyBundles.awaitVerdict(
                    one.kind(),
                    one.name(),
                    "quarantined",
                    one.text() + " did not return within " + DEADLINE_MILLIS + " ms");
            PolicyDetails details = faultyBundles.details(one.kind(), one.name());
            // Two jobs exist, each with its own instance, which may be called before the first one has hung.
            int most = one.kind().equals("scaling") ? 2 : 1;
            assertTrue("one hang is enough: " + details, details.failures() >= 1 && details.failures() <= most);
            int calls = faultyBundles.calls(one.kind(), one.name(), one.at());
            assertTrue("it is not called again, but was " + calls + " times: " + details, calls >= 1 && calls <= most);
            faultyBundles.assertInDecisions(one.kind(), one.name(), "did not return within " + DEADLINE_MILLIS + " ms");
        }
        undisturbed();
        faultyBundles.uninstall();
        List<String> hanging = cases.stream()
                .filter(one -> !one.deed().equals("sleep"))
                .map(one -> "faulty." + one.kind() + "." + one.name())
                .toList();
        // A thread that never returns keeps the classes of its code: that is the documented leak.
        faultyBundles.assertCollected(hanging);
        assertTrue(
                "held by their threads: " + faultyBundles.held(),
                faultyBundles.held().containsAll(hanging));
        faultyBundles.mercy();
        faultyBundles.assertCollected(List.of());
    }
}

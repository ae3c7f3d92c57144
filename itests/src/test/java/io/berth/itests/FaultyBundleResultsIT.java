package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PolicyHost;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.function.IntFunction;
import javax.inject.Inject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/**
 * Policies of each kind whose results break a rule, and policies that change or keep what they received (faults F52
 * and F53). The violation is named, nothing of the result is committed, the fallback decides.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class FaultyBundleResultsIT extends FaultyBundleCluster {

    @Inject
    private PolicyHost host;

    @Test
    public void f52_aResultThatBreaksARuleIsNamedAndNotCommitted() throws Exception {
        List<Case> cases = List.of(
                new Case("matching", "null", "create", "create returned nothing"),
                new Case("matching", "null", "open", "returned nothing"),
                new Case("matching", "unknown-entry", "place", "places entry 1 of 1"),
                new Case("matching", "unknown-worker", "place", "on worker 2147483647, which is not there"),
                new Case("matching", "unknown-spec", "place", "opens a worker of spec 99"),
                new Case("matching", "negative", "place", "places -1 slots"),
                new Case("matching", "partial", "place", "of the 5 slots that are the minimum"),
                new Case("matching", "over-capacity", "place", "left"),
                new Case("matching", "twice", "place", "admitted are 5"),
                new Case("matching", "other-thread", "place", "uses its result from another thread"),
                new Case("matching", "endless", "place", "place did not return within"),
                new Case("distribution", "null", "create", "create returned nothing"),
                new Case("distribution", "null", "open", "returned nothing"),
                new Case("distribution", "unknown-unit", "admit", "which is not there"),
                new Case("distribution", "unknown-group", "admit", "admits group 99 of unit"),
                new Case("distribution", "negative", "admit", "admits -1 slots"),
                new Case("distribution", "over-desired", "admit", "admits 2147483647 slots"),
                new Case("distribution", "twice", "admit", "which misses 0"),
                new Case("distribution", "partial", "admit", "above its minimum before the minimum"),
                new Case("distribution", "other-thread", "admit", "uses its result from another thread"),
                new Case("distribution", "endless", "admit", "admit did not return within"),
                new Case("scaling", "null", "create", "create returned nothing"),
                new Case("scaling", "null", "open", "returned nothing"),
                new Case("scaling", "unknown-vertex", "desire", "names vertex 2 of 2"),
                new Case("scaling", "negative", "desire", "desires parallelism -1"),
                new Case("scaling", "over-maximum", "desire", "desires parallelism 2147483647"),
                new Case("scaling", "partial", "desire", "desires parallelism 0"),
                new Case("scaling", "other-thread", "desire", "uses its result from another thread"),
                new Case("scaling", "endless", "desire", "decide did not return within"));
        strike(cases);
        for (int i = 0; i < 4; i++) {
            JobDetails job = faultyBundles.job();
            assertEquals(
                    Cluster.text(job),
                    FaultyBundles.WIDTH,
                    job.vertices().get(0).parallelism());
        }
        for (Case one : cases) {
            if (one.name().equals("null-at-create")) {
                faultyBundles.awaitVerdict(one.kind(), one.name(), "configuration refused", one.text());
                continue;
            }
            faultyBundles.awaitVerdict(one.kind(), one.name(), "quarantined", one.text());
            PolicyDetails details = faultyBundles.details(one.kind(), one.name());
            assertEquals(details.toString(), 0, details.decisions());
            if (!one.at().equals("open")) {
                faultyBundles.assertInDecisions(one.kind(), one.name(), one.text());
            }
        }
        undisturbed();
        faultyBundles.mercy();
        faultyBundles.uninstall();
        faultyBundles.assertCollected(List.of());
    }

    @Test
    public void f52_theFallbackRepeatsAnAssignmentThatBreaksARule() throws Exception {
        List<Case> cases = List.of(
                new Case("matching", "unknown-slot", "assign", "assigns slot 3 of 3"),
                new Case("matching", "negative", "assign", "assigns slot -1 of 3"),
                new Case("matching", "unknown-requirement", "assign", "assigns to requirement 1 of 1"),
                new Case("matching", "twice", "assign", "assigns slot 0 twice"),
                new Case("matching", "too-many", "assign", "assigns more than the 2 slots"),
                new Case("matching", "other-thread", "assign", "uses its result from another thread"),
                new Case("matching", "runtime-exception", "assign", "on purpose"),
                new Case("matching", "loop", "assign", "assign did not return within"));
        strike(cases);
        ResourceProfile profile = ResourceProfile.of(1_000, 1 << 20);
        // A policy that fails for one job only is quarantined for that job only.
        IntFunction<AssignmentQuery> query = job -> new AssignmentQuery(
                new JobId("asks-" + job),
                "default",
                MatchingRule.EXACT,
                1,
                List.of(slot(1, profile), slot(2, profile), slot(3, profile)),
                List.of(new AssignmentQuery.Requirement("all", "default", profile, 2)));
        for (int i = 0; i < 3; i++) {
            AssignmentOutcome.Assigned assigned =
                    (AssignmentOutcome.Assigned) Cluster.await(host.assign(query.apply(i)));
            assertEquals("first-fit", assigned.matching().name());
            assertEquals(List.of(0, 0, -1), assigned.requirementOfSlot());
        }
        for (Case one : cases) {
            faultyBundles.awaitVerdict(one.kind(), one.name(), "quarantined", one.text());
            faultyBundles.assertInDecisions(one.kind(), one.name(), one.text());
        }
        faultyBundles.mercy();
        faultyBundles.uninstall();
        faultyBundles.assertCollected(List.of());
    }

    private static AssignmentQuery.Slot slot(int counter, ResourceProfile profile) {
        return new AssignmentQuery.Slot(new AllocationId(1, counter), new WorkerId("w" + counter), profile, -1, false);
    }

    @Test
    public void f53_aPolicyCannotUseWhatItChangesOrKeeps() throws Exception {
        List<List<Case>> rounds = List.of(
                List.of(new Case("matching", "mutates", "delta", ""), new Case("distribution", "mutates", "delta", "")),
                List.of(
                        new Case("matching", "stale", "place", ""),
                        new Case("distribution", "stale", "admit", ""),
                        new Case("scaling", "stale", "desire", "")),
                List.of(
                        new Case("matching", "null-reason", "place", ""),
                        new Case("distribution", "null-reason", "admit", ""),
                        new Case("scaling", "null-reason", "desire", "")));
        for (List<Case> cases : rounds) {
            strike(cases);
            for (Case one : cases) {
                policies.use(PolicyKind.valueOf(one.kind().toUpperCase(java.util.Locale.ROOT)), one.name());
            }
            faultyBundles.job();
            faultyBundles.job();
            for (Case one : cases) {
                PolicyDetails details = faultyBundles.details(one.kind(), one.name());
                assertEquals(details.toString(), "deciding", details.state());
                assertEquals(details.toString(), 0, details.failures());
                assertTrue(details.toString(), details.decisions() >= 2);
                assertTrue("it did its deed: " + details, faultyBundles.calls(one.kind(), one.name(), one.at()) > 0);
                if (one.deed().equals("stale") && !one.kind().equals("scaling")) {
                    assertTrue(
                            "it used what it kept: " + details,
                            faultyBundles.calls(one.kind(), one.name(), "stale") > 0);
                }
            }
            for (String kind : KINDS) {
                policies.use(PolicyKind.valueOf(kind.toUpperCase(java.util.Locale.ROOT)), "");
            }
            faultyBundles.uninstall();
        }
        faultyBundles.assertCollected(List.of());
    }
}

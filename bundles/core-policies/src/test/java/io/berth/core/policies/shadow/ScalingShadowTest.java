package io.berth.core.policies.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.core.api.operations.ShadowOperations.ShadowedDecision;
import io.berth.core.policies.detached.RecordedJobs;
import io.berth.spi.PolicyKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the shadow of scaling policies says, in virtual time on one thread. */
class ScalingShadowTest {

    private static final int DECISIONS = 1_000;

    private final RecordedJobs jobs = new RecordedJobs(20261126, 6);

    private ShadowDetails shadow(String name) {
        return jobs.platform().shadow(PolicyKind.SCALING, name, "", "test");
    }

    private ShadowDetails only() {
        assertThat(jobs.platform().shadows()).hasSize(1);
        return jobs.platform().shadows().get(0);
    }

    @Test
    void theSamePolicyAgreesInEachDecision() {
        // Two of the jobs choose another policy.
        jobs.decideOnlyBy("seedless");
        shadow("seedless");
        assertThat(only().state()).isEqualTo("waits");
        jobs.end(3);
        jobs.end(0);
        jobs.decide(DECISIONS);
        assertThat(only().state()).isEqualTo("follows");
        assertThat(only().agreed()).isEqualTo(only().compared()).isEqualTo(DECISIONS);
        assertThat(only().failed()).isZero();
        assertThat(only().skipped()).isZero();
        assertThat(only().shadowed().desired())
                .isEqualTo(only().decided().desired())
                .isPositive();
        assertThat(only().shadowed().rescales())
                .isEqualTo(only().decided().rescales())
                .isPositive();
        assertThat(only().line()).startsWith("shadow: scaling seedless of all jobs follows: agrees in ");
    }

    @Test
    void anotherPolicyDiffersAndTheDecisionSaysWhere() {
        jobs.decideOnlyBy("digest");
        shadow("violating");
        jobs.decide(50);
        assertThat(only().failed()).isPositive();
        assertThat(jobs.platform().policies())
                .filteredOn(policy -> policy.name().equals("violating"))
                .singleElement()
                .satisfies(policy -> assertThat(policy.failures()).isZero());
        shadow("other");
        jobs.decide(500);
        assertThat(only().differed()).isPositive();
        assertThat(jobs.platform().shadowed(only().lastDifferent()))
                .singleElement()
                .satisfies(one -> assertThat(one.verdict()).isEqualTo("differs"));
        assertThat(differences())
                .anyMatch(line -> line.matches("desires \\d+ subtasks of vertex v\\d instead of \\d+"))
                .contains("rescales now, which was not done", "does not rescale now, which was done");
    }

    /** All lines of all decisions that are kept. */
    private List<String> differences() {
        return jobs.frames().stream()
                .flatMap(frame -> jobs.platform().shadowed(frame.decision()).stream())
                .map(ShadowedDecision::differences)
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void aJobThatEndsLeavesNoInstance() {
        jobs.decideOnlyBy("seedless");
        shadow("seedless");
        jobs.decide(200);
        int open = jobs.openInstances();
        assertThat(open).isEqualTo(2 * 6);
        jobs.end(5);
        assertThat(jobs.openInstances()).isEqualTo(open - 2);
        jobs.platform().endShadow(PolicyKind.SCALING, "", "test");
        jobs.settle();
        assertThat(jobs.openInstances()).isEqualTo(5);
        assertThatThrownBy(() -> jobs.platform().endShadow(PolicyKind.SCALING, "", "test"))
                .hasMessage("no scaling policy shadows jobs: 'policies' lists the shadows");
    }
}

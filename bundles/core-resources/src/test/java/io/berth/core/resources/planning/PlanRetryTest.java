package io.berth.core.resources.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.settings.ResourceSettings;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan that failed is made again although nothing changes. */
class PlanRetryTest {

    private static final long DELAY = ResourceSettings.defaults().requirementCheckDelayMillis();

    private final TestCluster cluster = new TestCluster();
    private final FakeWorker worker = cluster.worker("w1");
    private final FakeJobMaster job = cluster.job("count", 1);

    private int plans() {
        return cluster.planner.inputs.size();
    }

    private void fail(int plans, boolean exceptionally) {
        cluster.time.advance(2 * DELAY);
        cluster.planner.failing = plans;
        cluster.planner.exceptionally = exceptionally;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFailedPlanIsMadeAgainAfterAPauseThatDoubles(boolean exceptionally) {
        fail(3, exceptionally);
        int before = plans();
        cluster.declare(job, 1, 1);
        cluster.time.advance(DELAY);
        for (long pause = 100; pause <= 400; pause *= 2) {
            int failed = plans();
            cluster.time.advance(pause + DELAY - 1);
            assertThat(plans()).isEqualTo(failed);
            assertThat(worker.requested).isEmpty();
            cluster.time.advance(1);
            assertThat(plans()).isEqualTo(failed + 1);
        }
        assertThat(worker.requested)
                .as("the planner is told again what it forgot")
                .hasSize(1);
        assertThat(plans()).isEqualTo(before + 4);
    }

    @Test
    void thePauseGrowsToTenSecondsAndIsShortAgainAfterAPlan() {
        fail(1_000, true);
        cluster.declare(job, 1, 1);
        cluster.time.advance(60_000);
        int before = plans();
        cluster.time.advance(100_000);
        assertThat(plans()).isBetween(before + 9, before + 10);
        cluster.planner.failing = 0;
        cluster.time.advance(10_000 + DELAY);
        assertThat(worker.requested).hasSize(1);
        fail(1, true);
        cluster.declare(job, 2, 2);
        cluster.time.advance(DELAY + 100 + DELAY);
        assertThat(worker.requested).hasSize(2);
        before = plans();
        cluster.time.advance(60_000);
        assertThat(plans()).as("quiet afterwards").isLessThanOrEqualTo(before + 1);
    }

    @Test
    void aChangeDoesNotWaitForTheEndOfThePause() {
        fail(20, true);
        cluster.declare(job, 1, 1);
        cluster.time.advance(60_000);
        cluster.planner.failing = 0;
        cluster.declare(job, 2, 2);
        cluster.time.advance(DELAY);
        assertThat(worker.requested).hasSize(2);
    }

    @Test
    void withoutAPolicyNothingIsRetriedUntilOneAppears() {
        fail(0, false);
        cluster.planner.undecided = Optional.of("no matching strategy");
        cluster.declare(job, 1, 1);
        cluster.time.advance(DELAY);
        int before = plans();
        cluster.time.advance(60_000);
        assertThat(plans()).isEqualTo(before);
        cluster.planner.undecided = Optional.empty();
        cluster.policiesChanged();
        cluster.time.advance(DELAY);
        assertThat(worker.requested).hasSize(1);
    }
}

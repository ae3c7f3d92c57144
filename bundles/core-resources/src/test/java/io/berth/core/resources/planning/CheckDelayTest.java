package io.berth.core.resources.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.spi.backend.WorkerSpec;
import org.junit.jupiter.api.Test;

/** When requirements are checked: changes are collected for a moment, and for that moment only (FLIP-138). */
class CheckDelayTest {

    private static final long DELAY = ResourceSettings.defaults().requirementCheckDelayMillis();

    private final TestCluster cluster = new TestCluster();

    @Test
    void changesWithinTheDelayArePlannedTogether() {
        cluster.worker("w1");
        FakeJobMaster first = cluster.job("first", 1);
        FakeJobMaster second = cluster.job("second", 2);
        cluster.time.advance(2 * DELAY);
        int before = cluster.planner.inputs.size();
        cluster.declare(first, 1, 1);
        cluster.time.advance(DELAY - 10);
        cluster.declare(second, 1, 1);
        assertThat(cluster.planner.inputs).hasSize(before);
        cluster.time.advance(10);
        assertThat(cluster.planner.inputs).hasSize(before + 1);
        assertThat(cluster.planner.inputs.get(before).units()).hasSize(2);
    }

    @Test
    void aPlannerThatCountsUseLearnsAfterTheDelayWhatWasGranted() {
        cluster.worker("w1");
        FakeJobMaster job = cluster.job("first", 1);
        cluster.planner.countsUse = true;
        cluster.declare(job, 1, 1);
        cluster.time.advance(DELAY);
        int granting = cluster.planner.inputs.size();
        cluster.time.advance(DELAY);
        assertThat(cluster.planner.inputs).hasSize(granting + 1);
        assertThat(cluster.planner.inputs.get(granting).units())
                .singleElement()
                .satisfies(change -> assertThat(
                                change.unit().orElseThrow().groups().get(0).allocated())
                        .isEqualTo(1));
        cluster.time.advance(10 * DELAY);
        assertThat(cluster.planner.inputs).as("nothing was granted then").hasSize(granting + 1);
    }

    @Test
    void aChangeDuringAPlanWaitsTheDelaySinceItHappenedAndNotSinceThePlanEnded() {
        int planning = changeDuringAPlan();
        cluster.time.advance(DELAY - 10);
        cluster.planner.release();
        cluster.time.settle();
        assertThat(cluster.planner.inputs).hasSize(planning);
        cluster.time.advance(10);
        assertThat(cluster.planner.inputs).hasSize(planning + 1);
    }

    @Test
    void aChangeLongBeforeThePlanEndsIsPlannedAtItsEnd() {
        int planning = changeDuringAPlan();
        cluster.time.advance(3 * DELAY);
        cluster.planner.release();
        cluster.time.settle();
        assertThat(cluster.planner.inputs).hasSize(planning + 1);
    }

    @Test
    void aChangeAfterAPlanIsNotTakenByTheCheckThatWasToMakeThatPlan() {
        FakeBackend backend = new FakeBackend(WorkerSpec.of("small", TestCluster.TWO_SLOTS)
                .defaultSlots(2)
                .maximum(4)
                .build());
        cluster.manager.backendAdded(backend);
        FakeJobMaster first = cluster.job("first", 1);
        FakeJobMaster second = cluster.job("second", 2);
        FakeJobMaster third = cluster.job("third", 3);
        cluster.declare(first, 2, 2);
        cluster.time.advance(2 * DELAY);
        cluster.declare(second, 1, 1);
        cluster.time.advance(DELAY - 10);
        cluster.register(new FakeWorker("anything", 1), "local", "small");
        cluster.time.settle();
        int before = cluster.planner.inputs.size();
        cluster.declare(third, 1, 1);
        cluster.time.advance(DELAY - 10);
        assertThat(cluster.planner.inputs).hasSize(before);
        cluster.time.advance(10);
        assertThat(cluster.planner.inputs).hasSize(before + 1);
    }

    /** How many plans there are: the last one is under way and held, and a job has declared meanwhile. */
    private int changeDuringAPlan() {
        cluster.worker("w1");
        FakeJobMaster first = cluster.job("first", 1);
        FakeJobMaster second = cluster.job("second", 2);
        cluster.time.advance(2 * DELAY);
        cluster.planner.held = true;
        cluster.declare(first, 1, 1);
        cluster.time.advance(DELAY);
        int planning = cluster.planner.inputs.size();
        cluster.declare(second, 1, 1);
        return planning;
    }
}

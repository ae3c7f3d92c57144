package io.berth.core.resources.planning;

import static io.berth.core.resources.TestCluster.SLOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.TestCluster;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Policies see what the last rescale cost a job, as its JobMaster declares it. */
class LastRescaleTest {

    private final TestCluster cluster = new TestCluster();
    private final FakeJobMaster job = cluster.job("a", 1);

    @BeforeEach
    void begin() {
        cluster.worker("w", SLOT.times(8));
        declare(job);
    }

    private void declare(FakeJobMaster by) {
        cluster.declare(by, 1, 2);
        cluster.time.advance(100);
    }

    /** What the last input that names the unit says. */
    private OptionalLong planned() {
        List<UnitDemand> said = cluster.planner.inputs.stream()
                .flatMap(input -> input.units().stream())
                .flatMap(change -> change.unit().stream())
                .toList();
        return said.get(said.size() - 1).lastRescaleMillis();
    }

    @Test
    void thePlannerSeesTheLastOneThatWasDeclared() {
        assertThat(planned()).isEmpty();
        job.lastRescaleMillis = Optional.of(7_000L);
        declare(job);
        assertThat(planned()).hasValue(7_000);
        job.lastRescaleMillis = Optional.of(0L);
        declare(job);
        assertThat(planned()).hasValue(0);
    }

    @Test
    void aJobMasterThatRegistersAgainDeclaresItAgain() {
        job.lastRescaleMillis = Optional.of(7_000L);
        declare(job);
        job.dead = true;
        cluster.time.advance(20_000);
        assertThat(job.told).isNotEmpty();
        job.dead = false;
        cluster.register(job);
        declare(job);
        assertThat(planned()).hasValue(7_000);
    }

    @Test
    void anotherJobMasterDoesNotKnowIt() {
        job.lastRescaleMillis = Optional.of(7_000L);
        declare(job);
        FakeJobMaster next = new FakeJobMaster("a", 2, 1);
        cluster.register(next);
        declare(next);
        assertThat(planned()).isEmpty();
    }

    @Test
    void aNegativeOneIsRefused() {
        job.lastRescaleMillis = Optional.of(-1L);
        assertThatThrownBy(() -> cluster.declare(job, 1, 2))
                .hasMessageContaining("requirements of job a: lastRescaleMillis is -1: at least 0 is allowed");
    }
}

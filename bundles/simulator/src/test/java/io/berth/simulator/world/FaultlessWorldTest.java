package io.berth.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobStatus;
import io.berth.simulator.job.JobStore;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.recovery.Convergence;
import io.berth.simulator.time.VirtualTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A world without faults. */
class FaultlessWorldTest {

    private static World world(long seed, World.Shape shape) {
        MessageKinds kinds = new MessageKinds();
        return new World(seed, shape, Optional.empty(), new Coverage(kinds), kinds);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void jobsRunToTheirEndInVirtualTime(long seed) {
        World world = world(seed, new World.Shape(1, true, 3, 0, 2, true));
        world.calm(false);

        world.runFor(1_800 * VirtualTime.SECOND);

        List<JobStore.Stored> ended =
                world.jobs.all().stream().filter(JobStore.Stored::hasEnded).toList();
        assertThat(ended).hasSizeGreaterThan(2);
        assertThat(ended)
                .allSatisfy(job -> assertThat(job.end().orElseThrow().status()).isEqualTo(JobStatus.FINISHED));
        assertThat(world.ledger.commits()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5})
    void rolesApartWithWorkersOfABackendAreWellToo(long seed) {
        World world = world(seed, new World.Shape(2, false, 0, 5, 3, true));

        world.runFor(120 * VirtualTime.SECOND);

        assertThat(Convergence.at(world).problems()).isEmpty();
        assertThat(world.ledger.tasksStarted()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {6, 7})
    void theSameSeedIsTheSameTrace(long seed) {
        World one = world(seed, new World.Shape(2, true, 5, 0, 3, true));
        World other = world(seed, new World.Shape(2, true, 5, 0, 3, true));
        World another = world(seed + 1, new World.Shape(2, true, 5, 0, 3, true));

        for (World world : List.of(one, other, another)) {
            world.calm(false);
            world.runFor(600 * VirtualTime.SECOND);
        }

        assertThat(one.trace.hash()).isEqualTo(other.trace.hash()).isNotEqualTo(another.trace.hash());
        assertThat(one.time.happened()).isEqualTo(other.time.happened());
    }
}

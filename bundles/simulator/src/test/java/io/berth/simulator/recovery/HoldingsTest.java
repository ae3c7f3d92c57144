package io.berth.simulator.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.World;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What jobs hold while their scaling policy always wants something else, in a world without faults. */
class HoldingsTest {

    @ParameterizedTest
    @ValueSource(longs = {9, 12, 21})
    void p2_jobsThatScaleGiveBackWhatTheyDeclareNoMore(long seed) {
        MessageKinds kinds = new MessageKinds();
        World world =
                new World(seed, new World.Shape(1, true, 5, 0, 3, false), Optional.empty(), new Coverage(kinds), kinds);
        world.calm(false);

        new Holdings(world).watch(1_800 * VirtualTime.SECOND);

        assertThat(world.ledger.tasksStarted()).isGreaterThan(20);
        assertThat(LeakCheck.problems(world)).isEmpty();
    }
}

package io.berth.simulator.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.simulator.job.UnsatisfiableDemand;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Network;
import io.berth.simulator.network.Operator;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.CoreSettings;
import io.berth.simulator.world.Tuning;
import io.berth.simulator.world.World;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that a world without faults cannot serve soon get the reason. */
class UnservedJobsTest {

    /** Time for the election of leaders and the registration of workers. */
    private static final long START_MILLIS = 5_000;
    /** Time for a plan, an analysis and a notice. */
    private static final long TOLD_MILLIS = 3_000;

    /** Time for a call without an answer to fail, and the pause before the next one. */
    private static final int CALLS = 3;

    /** Loses notices for some time, and nothing else. */
    private static final class Losing implements Network.Interference {

        private boolean loses = true;
        private int lost;

        @Override
        public Optional<Operator> on(Network.Message message) {
            if (!loses || !message.name.equals("JobMaster/NotEnoughResources")) {
                return Optional.empty();
            }
            lost++;
            return Optional.of(Operator.LOSE);
        }

        @Override
        public void awaitsDeath(Network.Message message) {}

        @Override
        public void awaitsEpoch(Network.Message message) {}
    }

    private static World world(UnsatisfiableDemand hunger) {
        long seed = 5 + 11L * (hunger.ordinal() - 1);
        assertThat(UnsatisfiableDemand.of(seed)).isEqualTo(hunger);
        MessageKinds kinds = new MessageKinds();
        return new World(seed, new World.Shape(1, false, 5, 0, 3, false), Optional.empty(), new Coverage(kinds), kinds);
    }

    /**
     * No notices are sent in the start-up period, and none are possible while workers of the previous leader are
     * awaited.
     */
    private static long quietMillis(Tuning tuning) {
        return Math.max(tuning.startupPeriod(), CoreSettings.resources(tuning).recoveryMillis());
    }

    @Test
    void f10_aJobWhoseNoticesAreLostStillGetsTheReason() {
        World world = world(UnsatisfiableDemand.CPU);
        Losing losing = new Losing();
        world.network.interference(losing);
        world.runFor((START_MILLIS + quietMillis(world.tuning) + TOLD_MILLIS) * VirtualTime.MILLI);
        losing.loses = false;

        world.runFor(CALLS * world.tuning.callDeadline() * VirtualTime.MILLI);

        assertThat(losing.lost).isPositive();
        assertThat(Convergence.at(world).problems()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(value = UnsatisfiableDemand.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void f10_aJobThatCannotBeServedGetsTheReasonWithinABound(UnsatisfiableDemand hunger) {
        World world = world(hunger);

        world.runFor((START_MILLIS + quietMillis(world.tuning) + TOLD_MILLIS) * VirtualTime.MILLI);

        assertThat(Convergence.at(world).problems()).isEmpty();
    }
}

package io.berth.simulator.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.time.SystemClock;
import io.berth.simulator.deadlock.Cluster.Result;
import io.berth.simulator.deadlock.DeadlockRun.Outcome;
import io.berth.simulator.deadlock.Instance.Figure;
import io.berth.simulator.deadlock.Instance.Machine;
import io.berth.simulator.network.MessageKinds;
import io.berth.spi.ResourceProfile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Units that compete for slots never wait for each other (FLIP-156, Resource Deadlock; FLIP-119), and do without the
 * rule. {@code berth simulate --deadlocks} plays more of them.
 */
class DeadlocksTest {

    private static final int INSTANCES = 300;
    /** Those that hang take longer. */
    private static final int FEWER = 120;

    private static Outcome play(Rule rule, int instances) throws InterruptedException {
        return new DeadlockRun(new SystemClock(), line -> {}).run(rule, 1, instances, 1);
    }

    @Test
    void c146_allInstancesFinish() throws InterruptedException {
        Outcome outcome = play(Rule.WHOLE, INSTANCES);
        assertThat(outcome.played()).isEqualTo(INSTANCES);
        assertThat(outcome.hung()).as(outcome.text()).isZero();
        assertThat(outcome.asked()).as("slots are asked for in some").isPositive();
    }

    /** The last plan was made before a worker had acknowledged the slots that one job had to return to the other. */
    @Test
    void anInstanceThatHungOnceFinishes() {
        assertThat(play(39_943).hang()).isEmpty();
    }

    @Test
    void withoutMinimaThatAreGrantedWholeOneInTenHangs() throws InterruptedException {
        Outcome outcome = play(Rule.NO_MINIMUM, FEWER);
        assertThat(outcome.hung()).as(outcome.text()).isGreaterThanOrEqualTo(FEWER / 10);
    }

    /** So it is the want of slots that lets them hang, and not the changed declarations. */
    @Test
    void withoutMinimaNothingHangsWhereAllJobsFitAtOnce() {
        for (long seed = 0; seed < 40; seed++) {
            Instance tight = new InstanceDraw(seed).draw();
            Instance ample = new Instance(
                    seed,
                    tight.figure(),
                    List.of(new Machine(ResourceProfile.of(1_000_000, 1L << 50), 0)),
                    tight.jobs(),
                    List.of(),
                    tight.matching(),
                    tight.inOrder(),
                    tight.spreadNanos());
            assertThat(new Cluster(ample, Rule.NO_MINIMUM, new MessageKinds())
                            .play()
                            .hang())
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void withoutReturnsSomeOfThoseThatLoseAWorkerHang() throws InterruptedException {
        Outcome outcome = play(Rule.NO_RETURN, FEWER);
        assertThat(outcome.hung()).as(outcome.text()).isPositive();
    }

    private static Result play(long seed) {
        return new Cluster(new InstanceDraw(seed).draw(), Rule.WHOLE, new MessageKinds()).play();
    }

    @ParameterizedTest
    @EnumSource(Figure.class)
    void aSeedGivesTheSameInstanceEachTime(Figure figure) {
        Result first = play(figure.ordinal());
        Result second = play(figure.ordinal());
        assertThat(first.instance().figure()).isEqualTo(figure);
        assertThat(second.instance()).isEqualTo(first.instance());
        assertThat(second.hash()).isEqualTo(first.hash());
        assertThat(second.events()).isEqualTo(first.events());
    }
}

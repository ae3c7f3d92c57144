package io.berth.scaling.minimalincrease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.scaling.ScalingSession;
import io.berth.testkit.ArrayJobView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedParallelism;
import io.berth.testkit.RecordedParallelism.Judgement;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MinimalIncreaseTest {

    private static final long MINUTE = 60_000;

    /** Two vertices of at most 8; {@link #rescaledAt} says when they were rescaled to 4. */
    private final ArrayJobView job =
            new ArrayJobView(1).vertex(0, 1, 2, 8).vertex(0, 1, 2, 8).current(1, 4);

    private static ScalingSession session(ArrayJobView job, Map<String, String> configuration)
            throws InvalidConfigurationException {
        MinimalIncreaseFactory factory = new MinimalIncreaseFactory();
        return factory.create(FixedConfiguration.of(factory.describe(), configuration), FixedContext.of("job job"))
                .open(job);
    }

    private Judgement judge(Map<String, String> configuration, int... change) throws InvalidConfigurationException {
        Judgement result = new Judgement();
        session(job, configuration).judge(Judgement.change(change), result);
        return result;
    }

    private void rescaledAt(long millis) {
        job.now(millis).current(0, 4);
    }

    @Test
    void desiresTheMaximumOfEachVertex() throws InvalidConfigurationException {
        RecordedParallelism result = new RecordedParallelism(job);
        session(job, Map.of()).desire(result);
        assertThat(result.values()).containsExactly(8, 8);
    }

    @Test
    void flip160_acceptsAnIncreaseOfTheCumulativeParallelismByTheThreshold() throws InvalidConfigurationException {
        rescaledAt(0);
        job.now(10 * MINUTE);
        assertThat(judge(Map.of("increase", "3"), 6, 5).accepted()).isTrue();
        assertThat(judge(Map.of("increase", "4"), 6, 5).accepted()).isFalse();
    }

    @Test
    void oneMoreTaskIsEnoughByDefault() throws InvalidConfigurationException {
        rescaledAt(0);
        job.now(10 * MINUTE);
        assertThat(judge(Map.of(), 5, 4).accepted()).isTrue();
    }

    @Test
    void c113_waitsForTheEndOfTheCooldown() throws InvalidConfigurationException {
        rescaledAt(2 * MINUTE);
        job.now(4 * MINUTE);
        Judgement early = judge(Map.of(), 8, 8);
        assertThat(early.accepted()).isFalse();
        assertThat(early.reviewMillis()).hasValue(3 * MINUTE);
        job.now(7 * MINUTE);
        assertThat(judge(Map.of(), 8, 8).accepted()).isTrue();
    }

    @Test
    void aJobThatWasNeverRescaledHasNoCooldown() throws InvalidConfigurationException {
        ArrayJobView young = new ArrayJobView(1).vertex(0, 1, 1, 8).current(0, 2);
        Judgement result = new Judgement();
        session(young, Map.of()).judge(Judgement.change(3), result);
        assertThat(result.accepted()).isTrue();
    }

    @Test
    void aSmallerIncreaseIsMadeAfterItsTime() throws InvalidConfigurationException {
        Map<String, String> large = Map.of("increase", "4", "small.increase.after", "20 min");
        rescaledAt(MINUTE);
        job.now(11 * MINUTE);
        Judgement early = judge(large, 5, 4);
        assertThat(early.accepted()).isFalse();
        assertThat(early.reviewMillis()).hasValue(10 * MINUTE);
        job.now(21 * MINUTE);
        assertThat(judge(large, 5, 4).accepted()).isTrue();
    }

    @Test
    void aSmallerIncreaseIsNeverMadeWhenItsTimeIsZero() throws InvalidConfigurationException {
        rescaledAt(0);
        job.now(1_000 * MINUTE);
        Judgement never = judge(Map.of("increase", "4", "small.increase.after", "0"), 5, 4);
        assertThat(never.judged()).isTrue();
        assertThat(never.accepted()).isFalse();
        assertThat(never.reviewMillis()).isEmpty();
    }

    @Test
    void reachingTheMaximumIsWorthARestartHoweverSmallTheIncrease() throws InvalidConfigurationException {
        rescaledAt(0);
        job.current(0, 8).current(1, 7).now(10 * MINUTE);
        assertThat(judge(Map.of("increase", "100"), 8, 8).accepted()).isTrue();
    }

    @Test
    void acceptsADecreaseAtOnce() throws InvalidConfigurationException {
        rescaledAt(2 * MINUTE);
        assertThat(judge(Map.of(), 4, 3).accepted()).isTrue();
    }

    @Test
    void aChangeThatGainsNothingIsDeclined() throws InvalidConfigurationException {
        rescaledAt(0);
        job.now(100 * MINUTE);
        Judgement result = judge(Map.of(), 5, 3);
        assertThat(result.judged()).isTrue();
        assertThat(result.accepted()).isFalse();
    }

    @Test
    void restartsAtMostOncePerCooldownHoweverSlotsComeAndGo() throws InvalidConfigurationException {
        ScalingSession session = session(job, Map.of());
        rescaledAt(0);
        int restarts = 0;
        for (long now = 0; now <= 60 * MINUTE; now += 10_000) {
            job.now(now);
            int feasible = 4 + (int) (now / 10_000 % 5);
            Judgement result = new Judgement();
            session.delta();
            if (feasible > job.current(0)) {
                session.judge(Judgement.change(feasible, 4), result);
            }
            if (result.accepted()) {
                restarts++;
                // Its slots are lost again soon, so that there is always something to gain.
                job.current(0, 4);
            }
        }
        assertThat(restarts).isEqualTo(11);
    }

    @Test
    void aSmallerIncreaseCannotComeBeforeTheEndOfTheCooldown() {
        assertThatThrownBy(() -> session(job, Map.of("cooldown", "10 min", "small.increase.after", "5 min")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("small.increase.after is '5 min'")
                .hasMessageContaining("10 min");
    }
}

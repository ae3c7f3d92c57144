package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeerHeartbeatTest {

    private static final long PATIENCE = 3_000;

    private final PeerHeartbeat pulse = new PeerHeartbeat(0);

    @Test
    void aHeartbeatThatMayStillBeAnsweredHoldsUpTheNextOne() {
        assertThat(pulse.begin(0, PATIENCE)).hasValue(1);
        assertThat(pulse.begin(2_999, PATIENCE)).isEmpty();
        pulse.answered(1, 2_999);
        assertThat(pulse.begin(2_999, PATIENCE)).hasValue(2);
    }

    @Test
    void oneWithoutAnOutcomeForLongHoldsUpNothing() {
        pulse.begin(0, PATIENCE);
        assertThat(pulse.begin(3_000, PATIENCE)).hasValue(2);
        assertThat(pulse.begin(3_001, PATIENCE)).isEmpty();
        pulse.answered(2, 3_100);
        assertThat(pulse.begin(3_100, PATIENCE)).hasValue(3);
    }

    @Test
    void anEarlierAnswerProvesLifeAndTellsNothingElse() {
        pulse.begin(0, PATIENCE);
        pulse.begin(3_000, PATIENCE);
        assertThat(pulse.answered(2, 3_100)).isTrue();
        assertThat(pulse.answered(1, 9_000)).isFalse();
        assertThat(pulse.timedOut(18_999, 10_000)).isFalse();
    }

    @Test
    void theFailureOfAnEarlierOneCountsForNothing() {
        pulse.begin(0, PATIENCE);
        pulse.begin(3_000, PATIENCE);
        pulse.answered(2, 3_100);
        pulse.unanswered(1);
        assertThat(pulse.failures()).isZero();
        pulse.begin(5_000, PATIENCE);
        pulse.unanswered(3);
        assertThat(pulse.unreachable(1)).isTrue();
    }
}

package io.berth.policy.support.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.testkit.ArrayJobView;
import io.berth.testkit.RecordedParallelism.Judgement;
import org.junit.jupiter.api.Test;

class PatientJudgementTest {

    private static final long WAIT = 300_000;

    private final ArrayJobView job = new ArrayJobView(1)
            .vertex(0, 1, 1, 20)
            .vertex(0, 1, 1, 20)
            .current(0, 4)
            .current(1, 4);
    private final PatientJudgement patience = new PatientJudgement(job, WAIT);

    private Judgement judge(int[] desired, int... feasible) {
        Judgement result = new Judgement();
        patience.judge(desired, Judgement.change(feasible), result);
        return result;
    }

    @Test
    void acceptsAChangeThatReachesWhatIsDesired() {
        assertThat(judge(new int[] {8, 2}, 8, 2).accepted()).isTrue();
    }

    @Test
    void acceptsADecreaseAtOnce() {
        assertThat(judge(new int[] {2, 4}, 2, 4).accepted()).isTrue();
    }

    @Test
    void acceptsHalfOfAnIncreaseAtOnce() {
        assertThat(judge(new int[] {8, 8}, 6, 6).accepted()).isTrue();
    }

    @Test
    void waitsForMoreSlotsWhenLessThanHalfOfTheIncreaseIsPossible() {
        job.now(100_000);
        Judgement waiting = judge(new int[] {8, 8}, 6, 5);
        assertThat(waiting.accepted()).isFalse();
        assertThat(waiting.reviewMillis()).hasValue(WAIT - 100_000);
        job.now(WAIT);
        Judgement late = judge(new int[] {8, 8}, 6, 5);
        assertThat(late.accepted()).isTrue();
        assertThat(late.reviewMillis()).isEmpty();
    }

    @Test
    void declinesAChangeThatTakesAwayTasksThatAreDesired() {
        Judgement judgement = judge(new int[] {8, 8}, 12, 3);
        assertThat(judgement.judged()).isTrue();
        assertThat(judgement.accepted()).isFalse();
        assertThat(judgement.reviewMillis()).isEmpty();
    }
}

package io.berth.scaling.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.testkit.ArrayJobView;
import io.berth.testkit.RecordedParallelism;
import org.junit.jupiter.api.Test;

class ReactiveTest {

    /** Two vertices: 1 to 4 and 2 to 6, in one group. */
    private final ArrayJobView job = new ArrayJobView(1).vertex(0, 1, 2, 4).vertex(0, 2, 2, 6);

    private final ReactiveSession session = new ReactiveSession(job);

    @Test
    void desiresTheMaximumOfEachVertex() {
        RecordedParallelism result = new RecordedParallelism(job);
        session.desire(result);
        assertThat(result.values()).containsExactly(4, 6);
    }

    @Test
    void acceptsEachFeasibleChange() {
        job.current(0, 3).current(1, 3);
        for (int parallelism : new int[] {2, 4}) {
            RecordedParallelism.Judgement judgement = new RecordedParallelism.Judgement();
            session.judge(RecordedParallelism.Judgement.change(parallelism, parallelism), judgement);
            assertThat(judgement.accepted()).isTrue();
            assertThat(judgement.reviewMillis()).isEmpty();
        }
    }
}

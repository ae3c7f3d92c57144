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
    void plansAsManyAsTheSlotsAllowUpToTheMaximum() {
        assertThat(plan(3)).containsExactly(3, 3);
        assertThat(plan(5)).containsExactly(4, 5);
        assertThat(plan(50)).containsExactly(4, 6);
    }

    @Test
    void plansNothingForAVertexBelowItsMinimum() {
        job.slots(0, 1);
        RecordedParallelism result = new RecordedParallelism(job);
        session.plan(result);
        assertThat(result.values()).containsExactly(1, 0);
        assertThat(result.reason()).contains("has 1 slots").contains("needs 2");
    }

    @Test
    void rescalesUpwardAndDownwardButNotWithoutNeed() {
        job.current(0, 3).current(1, 3);
        assertThat(session.rescale(new int[] {3, 3})).isFalse();
        assertThat(session.rescale(new int[] {4, 4})).isTrue();
        assertThat(session.rescale(new int[] {2, 2})).isTrue();
    }

    @Test
    void doesNotRescaleBelowAMinimumOrWhatDoesNotRun() {
        assertThat(session.rescale(new int[] {3, 3})).isFalse();
        job.current(0, 3).current(1, 3);
        assertThat(session.rescale(new int[] {1, 1})).isFalse();
    }

    private int[] plan(int slots) {
        job.slots(0, slots);
        RecordedParallelism result = new RecordedParallelism(job);
        session.plan(result);
        return result.values();
    }
}

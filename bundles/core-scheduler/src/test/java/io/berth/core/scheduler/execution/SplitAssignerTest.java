package io.berth.core.scheduler.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitAssignerTest {

    private static final AttemptId FIRST = task(0);
    private static final AttemptId SECOND = task(1);

    private final SplitAssigner splits = new SplitAssigner();

    private static AttemptId task(int subtask) {
        return new AttemptId(new JobId("job-1"), "source", subtask, 1, 1);
    }

    private void report(int count) {
        List<byte[]> all = new ArrayList<>();
        for (int split = 0; split < count; split++) {
            all.add(new byte[] {(byte) split});
        }
        splits.report(FIRST, "source", new SplitPart(0, all, true));
    }

    /** The split as a number; -1: none left, -2: none yet. */
    private int next(AttemptId task, long number) {
        SplitAnswer answer = splits.next(task, "source", number);
        if (answer instanceof SplitAnswer.Assigned assigned) {
            return assigned.split()[0];
        }
        return answer instanceof SplitAnswer.Exhausted ? -1 : -2;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100})
    void aRepeatedRequestTakesOneSplit(int copies) {
        report(3);
        for (int copy = 0; copy < copies; copy++) {
            assertThat(next(FIRST, 1)).isZero();
        }
        assertThat(next(FIRST, 2)).isEqualTo(1);
        assertThat(next(SECOND, 1)).isEqualTo(2);
        assertThat(next(FIRST, 3)).isEqualTo(-1);
    }

    @Test
    void theSplitsOfATaskThatIsRestartedComeFirstAgain() {
        report(4);
        assertThat(next(FIRST, 1)).isZero();
        assertThat(next(SECOND, 1)).isEqualTo(1);
        assertThat(next(FIRST, 2)).isEqualTo(2);
        splits.takeBack(FIRST);
        assertThat(splits.left("source")).hasValue(3L);
        AttemptId again = FIRST.next();
        assertThat(next(again, 1)).isZero();
        assertThat(next(SECOND, 2)).isEqualTo(2);
        assertThat(next(again, 2)).isEqualTo(3);
        assertThat(next(again, 3)).isEqualTo(-1);
        splits.takeBack(SECOND);
        assertThat(next(again, 3)).isEqualTo(1);
        splits.takeBack(new AttemptId(new JobId("job-1"), "source", 7, 1, 1));
        assertThat(next(again, 4)).isEqualTo(2);
        assertThat(next(again, 5)).isEqualTo(-1);
    }

    @Test
    void aDuplicateThatArrivesAfterTheNextRequestTakesNoSplit() {
        report(3);
        next(FIRST, 1);
        assertThat(next(FIRST, 2)).isEqualTo(1);
        assertThat(next(FIRST, 1)).isEqualTo(-2);
        assertThat(next(FIRST, 2)).as("the last answer is kept").isEqualTo(1);
        assertThat(next(FIRST, 3)).isEqualTo(2);
    }

    @Test
    void aRequestThatCameTooEarlyIsRepeatedWithTheSameNumber() {
        assertThat(next(FIRST, 1)).isEqualTo(-2);
        report(1);
        assertThat(next(FIRST, 1)).isZero();
        assertThat(next(FIRST, 2)).isEqualTo(-1);
        assertThat(next(FIRST, 2)).isEqualTo(-1);
        assertThat(next(FIRST, 1)).as("no task asks again after the end").isZero();
    }

    @Test
    void splitsThatArriveInPartsAreAssignedOnceAfterTheLastPart() {
        SplitPart first = new SplitPart(0, List.of(new byte[] {0}, new byte[] {1}), false);
        splits.report(FIRST, "source", first);
        assertThat(next(FIRST, 1)).as("its reporter may fail").isEqualTo(-2);
        splits.report(FIRST, "source", first);
        SplitPart last = new SplitPart(2, List.of(new byte[] {2}), true);
        splits.report(FIRST, "source", last);
        splits.report(FIRST, "source", last);
        splits.report(FIRST, "source", first);
        for (int split = 0; split < 3; split++) {
            assertThat(next(FIRST, split + 1)).isEqualTo(split);
        }
        assertThat(next(FIRST, 4)).isEqualTo(-1);
    }

    @Test
    void aListThatWasNotReportedToItsEndIsForgotten() {
        splits.report(FIRST, "source", new SplitPart(0, List.of(new byte[] {0}, new byte[] {1}), false));
        AttemptId again = FIRST.next();
        splits.report(again, "source", new SplitPart(0, List.of(new byte[] {5}), false));
        splits.report(again, "source", new SplitPart(1, List.of(new byte[] {6}), true));
        assertThat(splits.left("source")).hasValue(2L);
        assertThat(next(SECOND, 1)).isEqualTo(5);
        assertThat(next(SECOND, 2)).isEqualTo(6);
        splits.report(again.next(), "source", new SplitPart(0, List.of(new byte[] {7}, new byte[] {8}), false));
        splits.report(again.next(), "source", new SplitPart(2, List.of(new byte[] {9}), true));
        assertThat(next(SECOND, 3)).as("a complete list stays").isEqualTo(-1);
    }

    @Test
    void rejectsAPartWhosePreviousPartIsMissing() {
        assertThatThrownBy(() -> splits.report(FIRST, "source", new SplitPart(5, List.of(), true)))
                .hasMessageContaining("splits of vertex 'source' from 5 on are reported, but only 0 before them");
    }

    @Test
    void rejectsARequestThatSkipsASplit() {
        report(3);
        assertThatThrownBy(() -> next(FIRST, 2))
                .hasMessageContaining("asks for its split 2 of vertex 'source' and was given 0: allowed is 1 to 1");
        assertThatThrownBy(() -> next(FIRST, 0)).hasMessageContaining("allowed is 1 to 1");
        assertThat(next(FIRST, 1)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void eachSplitGoesToOneTaskWhenRequestsAreRepeatedAndReordered(long seed) {
        Random random = new Random(seed);
        report(60);
        List<AttemptId> tasks = List.of(FIRST, SECOND, task(2));
        TreeMap<AttemptId, List<Integer>> received = new TreeMap<>();
        tasks.forEach(task -> received.put(task, new ArrayList<>()));
        List<Runnable> copies = new ArrayList<>();
        for (int step = 0; step < 2_000; step++) {
            AttemptId task = tasks.get(random.nextInt(3));
            long number = received.get(task).size() + 1;
            boolean lost = random.nextInt(3) == 0;
            int answer = next(task, number);
            if (!lost && answer >= 0) {
                received.get(task).add(answer);
            }
            copies.add(() -> next(task, number));
            if (random.nextInt(4) == 0) {
                Collections.shuffle(copies, random);
                copies.subList(0, copies.size() / 2).forEach(Runnable::run);
                copies.subList(0, copies.size() / 2).clear();
            }
        }
        List<Integer> all = new ArrayList<>();
        received.values().forEach(all::addAll);
        assertThat(all).hasSize(60).doesNotHaveDuplicates();
    }
}

package io.berth.core.api.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.task.AttemptId;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskTextTest {

    private static final List<String> VERTICES = List.of("source", "count", "v1.2");

    private static AttemptId attempt(long execution, int restart) {
        return new AttemptId(new JobId("words"), "count", 3, 1, execution, restart);
    }

    @Test
    void readsAVertexOrATaskOfIt() {
        assertThat(TaskText.of("count", VERTICES)).isEqualTo(new TaskText("count", Optional.empty()));
        assertThat(TaskText.of("count.3", VERTICES)).isEqualTo(new TaskText("count", Optional.of(3)));
        assertThat(TaskText.of("v1.2", VERTICES)).isEqualTo(new TaskText("v1.2", Optional.empty()));
        assertThat(TaskText.of("v1.2.0", VERTICES)).isEqualTo(new TaskText("v1.2", Optional.of(0)));
    }

    @Test
    void saysWhichVerticesThereAre() {
        assertThatThrownBy(() -> TaskText.of("sink.1", VERTICES))
                .hasMessage("task is 'sink.1': allowed is VERTEX or VERTEX.SUBTASK, for example source.0; the vertices"
                        + " are source, count, v1.2");
    }

    @Test
    void meansAnAttemptByItsExecutionAndRestart() {
        assertThat(TaskText.isAttempt("2", attempt(2, 1))).isTrue();
        assertThat(TaskText.isAttempt("2.1", attempt(2, 1))).isTrue();
        assertThat(TaskText.isAttempt("2.0", attempt(2, 1))).isFalse();
        assertThat(TaskText.isAttempt("3", attempt(2, 1))).isFalse();
        assertThatThrownBy(() -> TaskText.isAttempt("last", attempt(2, 1)))
                .hasMessageContaining("attempt is 'last': allowed is the number of an execution");
    }

    @Test
    void labelsTasksWithTheirAttemptAfterTheFirst() {
        assertThat(TaskText.label(attempt(1, 0), Optional.empty(), false)).isEqualTo("count.3");
        assertThat(TaskText.label(attempt(1, 0), Optional.of("sink"), false)).isEqualTo("sink.3");
        assertThat(TaskText.label(attempt(2, 0), Optional.empty(), false)).isEqualTo("count.3#2");
        assertThat(TaskText.label(attempt(1, 4), Optional.empty(), false)).isEqualTo("count.3#1.4");
    }

    @Test
    void attemptsOfSeveralJobMastersHaveDifferentLabels() {
        AttemptId next = new AttemptId(new JobId("words"), "count", 3, 7, 1, 0);

        assertThat(TaskText.haveSeveralEpochs(List.of(attempt(1, 0), attempt(2, 0))))
                .isFalse();
        assertThat(TaskText.haveSeveralEpochs(List.of(attempt(1, 0), next))).isTrue();
        assertThat(TaskText.label(attempt(1, 0), Optional.empty(), true)).isEqualTo("count.3#1@1");
        assertThat(TaskText.label(next, Optional.empty(), true)).isEqualTo("count.3#1@7");
    }

    @Test
    void linesAreMadeOfPiecesAndCannotControlTheTerminal() {
        LogLines lines = new LogLines();

        assertThat(lines.add("a\nb")).containsExactly("a");
        assertThat(lines.add("c\r\n\n\u001b[2Jd")).containsExactly("bc", "");
        assertThat(lines.end()).containsExactly(" [2Jd");
        assertThat(lines.end()).isEmpty();
        assertThat(lines.add("x".repeat(70_000))).hasSize(1);
    }
}

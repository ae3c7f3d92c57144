package io.berth.worker.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.spi.JobId;
import io.berth.worker.FakeJobMaster;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SplitQuestionsTest {

    private final FakeJobMaster jobMaster = new FakeJobMaster();
    private final SplitQuestions questions = new SplitQuestions(
            PartialGateway.of(JobMasterGateway.class, jobMaster),
            new AttemptId(new JobId("job-1"), "source", 0, 1, 1),
            "source");

    private CompletableFuture<SplitAnswer> ask(CompletableFuture<SplitAnswer> answer) {
        jobMaster.splitAnswer = Optional.of(answer);
        return questions.next().toCompletableFuture();
    }

    private static CompletableFuture<SplitAnswer> split() {
        return CompletableFuture.completedFuture(new SplitAnswer.Assigned(new byte[] {1}));
    }

    @Test
    void aQuestionWhoseAnswerWasLostIsRepeatedWithTheSameNumber() {
        ask(split());
        CompletableFuture<SplitAnswer> lost =
                ask(CompletableFuture.failedFuture(new RpcException(RpcException.Kind.DEADLINE, "no answer")));
        assertThat(lost).isCompletedExceptionally();
        ask(split());
        ask(split());
        assertThat(jobMaster.splitQuestions).containsExactly(1L, 2L, 2L, 3L);
    }

    @Test
    void aQuestionThatCameTooEarlyIsRepeatedWithTheSameNumber() {
        ask(CompletableFuture.completedFuture(new SplitAnswer.NotYet()));
        ask(split());
        ask(CompletableFuture.completedFuture(new SplitAnswer.Exhausted()));
        assertThat(jobMaster.splitQuestions).containsExactly(1L, 1L, 2L);
    }

    @Test
    void asksOneQuestionAtATime() {
        CompletableFuture<SplitAnswer> answer = new CompletableFuture<>();
        CompletableFuture<SplitAnswer> first = ask(answer);
        assertThat(questions.next().toCompletableFuture()).isCompletedExceptionally();
        assertThat(jobMaster.splitQuestions).containsExactly(1L);
        answer.complete(new SplitAnswer.Exhausted());
        assertThat(first).isCompletedWithValue(new SplitAnswer.Exhausted());
        ask(split());
        assertThat(jobMaster.splitQuestions).containsExactly(1L, 1L);
    }
}

package io.berth.worker;

import static io.berth.worker.WorkerFixture.attempt;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.worker.log.TaskLog;
import io.berth.worker.log.TaskLogs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogsOfTasksTest {

    private final List<String> events = new ArrayList<>();
    private final WorkerFixture fixture = new WorkerFixture(new Recorded()).registered();

    private final class Recorded implements TaskLogs {

        @Override
        public TaskLog begin(AttemptId attempt, List<String> vertices) {
            events.add("begin " + attempt.subtask() + " " + vertices);
            return new TaskLog() {
                @Override
                public <T> T call(Supplier<T> action) {
                    int started = fixture.runtime.tasks.size();
                    T result = action.get();
                    events.add(
                            fixture.runtime.tasks.size() > started ? "runtime started in it" : "said something in it");
                    return result;
                }

                @Override
                public void end() {
                    events.add("end");
                }
            };
        }

        @Override
        public LogList list(LogFilter filter) {
            return new LogList(List.of(), 3, List.of());
        }

        @Override
        public LogPart read(LogRequest request) {
            return new LogPart(true, request.from(), 9, 9, new byte[0]);
        }
    }

    @BeforeEach
    void allocate() {
        fixture.allocate(fixture.request(1));
    }

    @Test
    void theRuntimeStartsATaskInItsLog() {
        assertThat(fixture.deploy(0, 1)).isEmpty();
        fixture.runtime.tasks.get(attempt(0)).end.complete(new Outcome.Finished());

        assertThat(events).containsExactly("begin 0 []", "runtime started in it", "end");
    }

    @Test
    void theCauseOfAFailureIsInTheLog() {
        fixture.deploy(0, 1);
        fixture.runtime.tasks.get(attempt(0)).end.complete(new Outcome.Failed("no such file", FailureKind.TRANSIENT));

        assertThat(events).containsExactly("begin 0 []", "runtime started in it", "said something in it", "end");
    }

    @Test
    void listsAndReads() {
        assertThat(fixture.worker
                        .listLogs(LogFilter.of(WorkerFixture.JOB))
                        .toCompletableFuture()
                        .join()
                        .omitted())
                .isEqualTo(3);
        assertThat(fixture.worker
                        .readLog(LogRequest.ofWorker(5, 100))
                        .toCompletableFuture()
                        .join()
                        .from())
                .isEqualTo(5);
    }
}

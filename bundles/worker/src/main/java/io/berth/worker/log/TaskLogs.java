package io.berth.worker.log;

import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.task.AttemptId;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** The logs of a worker. Thread-safe. */
public interface TaskLogs {

    /** Keeps nothing: output goes where the process writes it. */
    TaskLogs NONE = new TaskLogs() {
        @Override
        public TaskLog begin(AttemptId attempt, List<String> vertices) {
            return new TaskLog() {
                @Override
                public <T> T call(Supplier<T> action) {
                    return action.get();
                }

                @Override
                public void end() {}
            };
        }

        @Override
        public LogList list(LogFilter filter) {
            return LogList.NONE;
        }

        @Override
        public LogPart read(LogRequest request) {
            return LogPart.NONE;
        }
    };

    /** Begins the log of a task. Nothing is written, and nothing is kept, before the task prints or logs something. */
    TaskLog begin(AttemptId attempt, List<String> vertices);

    /** The logs that there are of tasks of a job. Waits shortly for what is on its way to the disk, as {@link #read} does. */
    LogList list(LogFilter filter);

    /** Reads a part of a log. Blocks on the disk. */
    LogPart read(LogRequest request) throws IOException;
}

package io.berth.simulator.world;

import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.task.AttemptId;
import io.berth.spi.WorkerId;
import io.berth.worker.log.TaskLog;
import io.berth.worker.log.TaskLogs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The logs of a worker: each task logs which attempt it is. The newest few are kept. */
public final class SimulatedLogs implements TaskLogs {

    private static final int KEPT = 8;

    private final WorkerId worker;
    private final Deque<TaskLogDetails> logs = new ArrayDeque<>();

    SimulatedLogs(WorkerId worker) {
        this.worker = worker;
    }

    /** What the log of an attempt contains. */
    public static byte[] content(AttemptId attempt) {
        return attempt.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public TaskLog begin(AttemptId attempt, List<String> vertices) {
        logs.add(new TaskLogDetails(worker, attempt.toString(), attempt, vertices, 0, 0, content(attempt).length));
        if (logs.size() > KEPT) {
            logs.remove();
        }
        return TaskLogs.NONE.begin(attempt, vertices);
    }

    @Override
    public LogList list(LogFilter filter) {
        return LogList.newest(
                logs.stream()
                        .filter(log -> filter.matches(log.attempt(), log.vertices()))
                        .toList(),
                0,
                List.of());
    }

    @Override
    public LogPart read(LogRequest request) {
        Optional<TaskLogDetails> of = logs.stream()
                .filter(log -> request.job().equals(Optional.of(log.attempt().job()))
                        && request.log().equals(log.log()))
                .findFirst();
        return of.map(log -> new LogPart(true, 0, log.end(), log.end(), content(log.attempt())))
                .orElse(LogPart.NONE);
    }
}

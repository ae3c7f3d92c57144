package io.berth.ops.rest;

import static io.berth.ops.rest.RestResponse.fields;
import static io.berth.ops.rest.Routes.checkParameters;
import static io.berth.ops.rest.Routes.parameter;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogFolder;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Logs of workers and of the tasks of jobs, below {@code /v1/workers/ID/logs} and {@code /v1/jobs/ID/logs}. Stateless;
 * thread-safe.
 */
final class LogRoutes {

    private final ClusterOperations cluster;
    private final Waiting waiting;

    LogRoutes(ClusterOperations cluster, Waiting waiting) {
        this.cluster = cluster;
        this.waiting = waiting;
    }

    /** Lists the logs of the tasks of a job. */
    RestResponse list(RestRequest request, JobDetails job) {
        checkParameters(request, List.of("vertex", "subtask"));
        Optional<String> vertex = parameter(request, "vertex");
        Optional<Integer> subtask = parameter(request, "subtask").map(LogRoutes::subtask);
        vertex.ifPresent(name -> check(job, name));
        LogList list = waiting.await(cluster.taskLogs(new LogFilter(job.id(), vertex, subtask)));
        return RestResponse.ok(fields(
                "logs",
                list.logs().stream().map(LogRoutes::entry).toList(),
                "omitted",
                list.omitted(),
                "silent",
                list.silent()));
    }

    private static Map<String, Object> entry(TaskLogDetails log) {
        return fields(
                "worker",
                log.worker(),
                "log",
                log.log(),
                "vertices",
                log.vertices(),
                "subtask",
                log.attempt().subtask(),
                "epoch",
                log.attempt().epoch(),
                "execution",
                log.attempt().execution(),
                "restart",
                log.attempt().restart(),
                "createdMillis",
                log.createdMillis(),
                "start",
                log.start(),
                "end",
                log.end());
    }

    /** Of earlier executions there may be more subtasks than the job may have now, so any is allowed. */
    private static void check(JobDetails job, String vertex) {
        List<String> names = job.vertices().stream().map(VertexDetails::name).toList();
        if (!names.contains(vertex)) {
            throw new RefusedException(400, "vertex is '" + vertex + "': allowed are " + String.join(", ", names));
        }
    }

    private static int subtask(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new RefusedException(400, "subtask is '" + text + "': allowed is a whole number, 0 or more");
        }
        return Integer.parseInt(text);
    }

    /** Part of the log of a task. */
    RestResponse ofTask(RestRequest request, JobId job, String worker, String log) {
        return read(request, worker, log, LogRequest.ofTask(job, log, from(request), limit(request)));
    }

    /** Part of the own log of a worker. */
    RestResponse ofWorker(RestRequest request, String worker) {
        return read(request, worker, "", LogRequest.ofWorker(from(request), limit(request)));
    }

    private RestResponse read(RestRequest request, String worker, String log, LogRequest wanted) {
        checkParameters(request, List.of("from", "limit"));
        LogPart part = waiting.await(cluster.readLog(workerId(worker), wanted)).orElseThrow(() -> none(worker, log));
        return RestResponse.ok(fields(
                "worker",
                worker,
                "log",
                log,
                "from",
                part.from(),
                "next",
                part.next(),
                "end",
                part.end(),
                "text",
                new String(part.content(), StandardCharsets.UTF_8)));
    }

    private static WorkerId workerId(String text) {
        try {
            return new WorkerId(text);
        } catch (IllegalArgumentException noId) {
            throw none(text, "");
        }
    }

    private static RefusedException none(String worker, String log) {
        return new RefusedException(
                404,
                log.isEmpty()
                        ? "no log of worker '" + worker + "': it is not known, or it is gone and its logs were removed"
                                + " or are on another host"
                        : "no log '" + log + "' of worker '" + worker + "': it was removed, or there was none");
    }

    private static long from(RestRequest request) {
        String from = parameter(request, "from").orElse("0");
        if (!from.matches("-?[0-9]{1,18}")) {
            throw new RefusedException(
                    400, "from is '" + from + "': allowed is an offset in bytes; a negative one counts from the end");
        }
        return Long.parseLong(from);
    }

    private static int limit(RestRequest request) {
        String limit = parameter(request, "limit").orElse(Integer.toString(LogFolder.MAX_READ));
        if (!limit.matches("[1-9][0-9]{0,6}") || Integer.parseInt(limit) > LogFolder.MAX_READ) {
            throw new RefusedException(400, "limit is '" + limit + "': 1 to " + LogFolder.MAX_READ + " is allowed");
        }
        return Integer.parseInt(limit);
    }
}

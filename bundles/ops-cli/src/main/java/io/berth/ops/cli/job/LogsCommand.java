package io.berth.ops.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.core.api.operations.TaskText;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Shows what tasks, or a worker, printed and logged. */
@Command(
        name = "logs",
        mixinStandardHelpOptions = true,
        description = "Shows what the tasks of a job printed and logged, or the log of a worker, also after their end.",
        footer = {
            "",
            "If there are several logs, each line begins with its task, VERTEX.SUBTASK, and after a restart with",
            "its attempt, VERTEX.SUBTASK#EXECUTION; with the epoch of the JobMaster, #EXECUTION@EPOCH, if the job",
            "had several. The bounds of logs are in docs/operations.md.",
            "Examples: berth logs word-count-ab2cd count.0 --tail 20",
            "          berth logs word-count-ab2cd -f",
            "          berth logs --worker local-1 -f"
        })
public final class LogsCommand implements Callable<Integer> {

    private static final int MAX_TAIL = 100_000;

    @ParentCommand
    private Console berth;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "JOB",
            description = "Id of the job, as 'berth jobs' lists it")
    private String job = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "VERTEX[.SUBTASK]",
            description = "Only of the tasks of this vertex, or of this task. Default: of all tasks")
    private String task = "";

    @Option(names = "--worker", paramLabel = "ID", description = "The own log of this worker instead")
    private String worker = "";

    @Option(
            names = {"-f", "--follow"},
            description =
                    "Goes on to show what comes: to the end of the job, over its restarts; of a worker until Ctrl-C")
    private boolean follow;

    @Option(
            names = "--attempt",
            paramLabel = "EXECUTION[.RESTART]",
            description = "Only of this attempt, such as 2 or 2.1. Default: of all attempts")
    private String attempt = "";

    @Option(
            names = "--tail",
            paramLabel = "N",
            description = "Only the last N lines of each log, as far as they are in its last 256 KiB. Default: all")
    private Integer tail = -1;

    private final Set<String> said = new HashSet<>();

    @Override
    public Integer call() {
        check();
        Api api = berth.api();
        // Of the tasks that are followed, more may begin later.
        boolean labeled = follow && worker.isEmpty() && !task.matches(".*\\.[0-9]+");
        LogReader reader =
                new LogReader(api, berth.terminal(), tail < 0 ? Optional.empty() : Optional.of(tail), labeled);
        if (!worker.isEmpty()) {
            LogReader.Source own = new LogReader.Source("workers/" + Api.encode(worker) + "/logs", "", -1);
            if (berth.json()) {
                ObjectNode answer = JsonNodeFactory.instance.objectNode();
                answer.put("worker", worker);
                answer.put("text", reader.text(own));
                berth.print(api, answer, none -> {});
            } else if (follow) {
                reader.follow(List.of(own));
            } else {
                reader.show(List.of(own));
            }
            return ExitCode.DONE;
        }
        Optional<TaskText> wanted = task.isEmpty() ? Optional.empty() : Optional.of(task(api));
        if (berth.json()) {
            printJson(api, reader, wanted);
        } else if (follow) {
            new LogFollower(api, berth.terminal(), reader, job, () -> sources(api, wanted)).follow();
        } else {
            show(reader, sources(api, wanted));
        }
        return ExitCode.DONE;
    }

    private void check() {
        if (job.isEmpty() == worker.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT, "allowed is either a JOB or --worker ID: 'berth logs --help' shows more");
        }
        if (!worker.isEmpty() && !attempt.isEmpty()) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--attempt is one of the tasks of a job, not of a worker");
        }
        if (tail < -1 || tail > MAX_TAIL) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--tail is '" + tail + "': allowed is 0 to " + MAX_TAIL);
        }
        if (follow && berth.json()) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "-f shows lines as they come: leave out -o json");
        }
    }

    private TaskText task(Api api) {
        List<String> vertices = new ArrayList<>();
        api.get("jobs/" + Api.encode(job))
                .path("vertices")
                .forEach(vertex -> vertices.add(vertex.path("name").asText()));
        try {
            return TaskText.of(task, vertices);
        } catch (IllegalArgumentException refusal) {
            throw new CommandFailure(ExitCode.BAD_INPUT, String.valueOf(refusal.getMessage()));
        }
    }

    private JsonNode list(Api api, Optional<TaskText> wanted) {
        Map<String, String> parameters = new LinkedHashMap<>();
        wanted.ifPresent(name -> {
            parameters.put("vertex", name.vertex());
            name.subtask().ifPresent(index -> parameters.put("subtask", Integer.toString(index)));
        });
        return api.get("jobs/" + Api.encode(job) + "/logs" + Api.query(parameters));
    }

    /** The logs that are wanted, as they are now. */
    private List<LogReader.Source> sources(Api api, Optional<TaskText> wanted) {
        JsonNode list = list(api, wanted);
        List<JsonNode> logs = wantedLogs(list);
        boolean epochs = TaskText.haveSeveralEpochs(
                logs.stream().map(log -> LogReader.attempt(job, log)).toList());
        warn(list);
        return logs.stream()
                .map(log -> new LogReader.Source(
                        path(log), label(log, wanted, epochs), log.path("end").asLong(-1)))
                .toList();
    }

    private List<JsonNode> wantedLogs(JsonNode list) {
        List<JsonNode> logs = new ArrayList<>();
        list.path("logs").forEach(log -> {
            if (isWanted(log)) {
                logs.add(log);
            }
        });
        return logs;
    }

    private void warn(JsonNode list) {
        for (JsonNode silent : list.path("silent")) {
            say("worker " + silent.asText() + " does not answer: its logs are missing", "silent " + silent.asText());
        }
        if (list.path("omitted").asInt() > 0) {
            say(
                    list.path("omitted").asInt() + " older logs are left out: name a vertex or a subtask to see them",
                    "omitted");
        }
    }

    /** Says something beside the logs, each thing once: the list is asked for again and again. */
    private void say(String text, String thing) {
        if (said.add(thing)) {
            berth.terminal().progress("berth: " + text);
        }
    }

    private boolean isWanted(JsonNode log) {
        try {
            return attempt.isEmpty() || TaskText.isAttempt(attempt, LogReader.attempt(job, log));
        } catch (IllegalArgumentException refusal) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--" + refusal.getMessage());
        }
    }

    private String path(JsonNode log) {
        return "jobs/" + Api.encode(job) + "/logs/"
                + Api.encode(log.path("worker").asText()) + "/"
                + Api.encode(log.path("log").asText());
    }

    private String label(JsonNode log, Optional<TaskText> wanted, boolean epochs) {
        return TaskText.label(LogReader.attempt(job, log), wanted.map(TaskText::vertex), epochs);
    }

    private void show(LogReader reader, List<LogReader.Source> sources) {
        sayIfNone(sources);
        reader.show(sources);
    }

    private void sayIfNone(List<?> logs) {
        if (logs.isEmpty()) {
            say("there is no log: no such task of job " + job + " has begun, or its log was removed", "none");
        }
    }

    private void printJson(Api api, LogReader reader, Optional<TaskText> wanted) {
        JsonNode list = list(api, wanted);
        List<JsonNode> found = wantedLogs(list);
        warn(list);
        sayIfNone(found);
        ArrayNode logs = JsonNodeFactory.instance.arrayNode();
        for (JsonNode log : found) {
            ObjectNode with = log.deepCopy();
            try {
                with.put("text", reader.text(new LogReader.Source(path(log), "", -1)));
                logs.add(with);
            } catch (CommandFailure failure) {
                // It may be removed after it was listed.
                if (failure.exitCode() != ExitCode.BAD_INPUT) {
                    throw failure;
                }
                say(String.valueOf(failure.getMessage()), path(log));
            }
        }
        berth.print(api, logs, none -> {});
    }
}

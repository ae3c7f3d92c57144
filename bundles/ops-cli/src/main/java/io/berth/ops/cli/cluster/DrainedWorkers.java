package io.berth.ops.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.time.TimeText;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Workers that are being drained: as text, and until they are empty. */
final class DrainedWorkers {

    private static final long TURN_MILLIS = 1_000;
    private static final int MAX_REASONS = 3;
    /** The time that a control plane may take to start. */
    private static final long LOST_MILLIS = 180_000;
    /** Workers that live register within this time at a ResourceManager that has just started. */
    private static final long ABSENT_MILLIS = 30_000;

    private final Api api;
    private final Terminal terminal;
    private final SortedMap<String, String> shown = new TreeMap<>();
    /** Since when workers are not listed. */
    private final SortedMap<String, Long> absent = new TreeMap<>();

    DrainedWorkers(Api api, Terminal terminal) {
        this.api = api;
        this.terminal = terminal;
    }

    /** One worker of an answer to a drain or its end. */
    static String line(JsonNode worker) {
        String problem = worker.path("problem").asText();
        String reason = worker.path("leavingReason").asText();
        return "Worker " + worker.path("worker").asText()
                + (reason.isEmpty()
                        ? " takes slots again"
                        : " takes no slots and leaves " + when(worker) + ": " + reason)
                + (problem.isEmpty() ? "" : "; " + problem);
    }

    private static String when(JsonNode worker) {
        long millis = worker.path("leavingMillis").asLong(-1);
        return millis < 0 ? "when it is empty" : "within " + TimeText.of(millis);
    }

    /** For the list of workers; empty when it does not leave. */
    static String column(JsonNode worker) {
        String reason = worker.path("leavingReason").asText();
        return reason.isEmpty() ? "" : when(worker) + ": " + reason;
    }

    /** Shows what is still on the workers, until they are empty or one no longer leaves. Returns the exit code. */
    int await(List<String> ids) {
        List<String> left = new ArrayList<>(ids);
        long heard = terminal.clock().millis();
        while (true) {
            try {
                if (!look(left)) {
                    return ExitCode.FAILED;
                }
                heard = terminal.clock().millis();
            } catch (CommandFailure failure) {
                if (failure.exitCode() != ExitCode.NOT_REACHABLE
                        || terminal.clock().millis() - heard >= LOST_MILLIS) {
                    throw failure;
                }
                show("", failure.getMessage() + "; waiting for it up to " + LOST_MILLIS / 1_000 + " s");
            }
            if (left.isEmpty()) {
                return ExitCode.DONE;
            }
            if (terminal.pause(TURN_MILLIS)) {
                return ExitCode.FAILED;
            }
        }
    }

    /** @return whether all of them are still leaving, or gone */
    private boolean look(List<String> left) {
        SortedMap<String, JsonNode> workers = new TreeMap<>();
        api.list("workers").forEach(worker -> workers.put(worker.path("id").asText(), worker));
        SortedMap<String, SortedMap<String, Integer>> jobs = new TreeMap<>();
        api.list("slots")
                .forEach(slot -> jobs.computeIfAbsent(slot.path("worker").asText(), worker -> new TreeMap<>())
                        .merge(slot.path("job").asText(), 1, Integer::sum));
        for (String id : List.copyOf(left)) {
            JsonNode worker = workers.get(id);
            if (worker != null) {
                absent.remove(id);
            }
            if (worker == null) {
                if (hasEnded(id)) {
                    left.remove(id);
                    show(id, "Worker " + id + " has ended");
                }
            } else if (worker.path("leavingReason").asText().isEmpty()) {
                show(id, "Worker " + id + " no longer leaves");
                return false;
            } else if (!jobs.containsKey(id)) {
                left.remove(id);
                show(
                        id,
                        "Worker " + id + " is empty"
                                + (worker.path("spec").asText().isEmpty()
                                        ? ", and takes no slots: stop it, or use 'berth worker undrain'"
                                        : ", and its backend stops it"));
            } else {
                show(id, "Worker " + id + ": " + describe(jobs.get(id)));
            }
        }
        return true;
    }

    /** Absent workers may run slots: the ResourceManager may be a new one, or may have lost them. */
    private boolean hasEnded(String id) {
        long now = terminal.clock().millis();
        if (now - absent.computeIfAbsent(id, first -> now) >= ABSENT_MILLIS) {
            return true;
        }
        show(
                id,
                "Worker " + id + " is not registered; it has ended unless it registers within " + ABSENT_MILLIS / 1_000
                        + " s");
        return false;
    }

    private String describe(Map<String, Integer> jobs) {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, Integer> job : jobs.entrySet()) {
            String slots = job.getValue() == 1 ? "1 slot" : job.getValue() + " slots";
            if (parts.size() == MAX_REASONS) {
                parts.add(jobs.size() - MAX_REASONS + " more jobs");
                break;
            }
            parts.add(slots + " of job " + job.getKey() + reason(job.getKey()));
        }
        return String.join("; ", parts);
    }

    private String reason(String job) {
        try {
            String reason = api.get("jobs/" + Api.encode(job)).path("reason").asText();
            return reason.isEmpty() ? "" : " (" + reason + ")";
        } catch (CommandFailure gone) {
            if (gone.exitCode() == ExitCode.NOT_REACHABLE) {
                throw gone;
            }
            return "";
        }
    }

    /** Prints what is new about a worker. The time that is left changes all the time and is not new. */
    private void show(String worker, String line) {
        String comparable = line.replaceAll("\\d+ (ms|s|min|h|d)\\b", "#");
        if (!comparable.equals(shown.put(worker, comparable))) {
            terminal.progress(line);
        }
    }
}

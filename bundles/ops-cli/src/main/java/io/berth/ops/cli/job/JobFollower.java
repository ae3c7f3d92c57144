package io.berth.ops.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Follows a job to its end and shows its progress. On a terminal one line is redrawn. Otherwise it prints a line for
 * each new state, slot count and reason, and one each {@link #QUIET_MILLIS}; reasons that differ only in numbers are
 * printed once.
 */
public final class JobFollower {

    private static final long TURN_MILLIS = 500;
    private static final long QUIET_MILLIS = 10_000;
    private static final int MAX_REASON_ON_TERMINAL = 160;
    /** The time that a control plane may take to start. */
    private static final long LOST_MILLIS = 180_000;

    private final Api api;
    private final Terminal terminal;
    private long lastRecords = -1;
    private long lastNanos;
    private String lastLine = "";
    private final Set<String> shownStates = new HashSet<>();
    private long shownMillis;

    public JobFollower(Api api, Terminal terminal) {
        this.api = api;
        this.terminal = terminal;
    }

    /** Details of the ended job; empty when the user stopped following it. */
    public Optional<JsonNode> follow(String id) {
        long heard = terminal.clock().millis();
        boolean lost = false;
        while (true) {
            try {
                JsonNode job = api.get("jobs/" + Api.encode(id));
                heard = terminal.clock().millis();
                lost = false;
                boolean ended = isEnd(status(job));
                if (ended || terminal.interactive() || hasChanged(job)) {
                    show(job, ended);
                }
                if (ended) {
                    return Optional.of(job);
                }
            } catch (CommandFailure failure) {
                if (failure.exitCode() != ExitCode.NOT_REACHABLE
                        || terminal.clock().millis() - heard >= LOST_MILLIS) {
                    throw failure;
                }
                if (!lost) {
                    terminal.progress(failure.getMessage() + "\nwaiting for it up to " + LOST_MILLIS / 1000
                            + " s; the job is followed when it answers");
                }
                lost = true;
            }
            if (terminal.pause(TURN_MILLIS)) {
                return Optional.empty();
            }
        }
    }

    private boolean hasChanged(JsonNode job) {
        long now = terminal.clock().millis();
        // Reasons of successive restarts differ only in the numbers of executions.
        String state = status(job) + " " + job.path("reason").asText().replaceAll("\\d+", "#") + " "
                + job.path("slots").size();
        if (!shownStates.add(state) && now - shownMillis < QUIET_MILLIS) {
            return false;
        }
        shownMillis = now;
        return true;
    }

    private void show(JsonNode job, boolean last) {
        long records = exchanged(job);
        long now = terminal.clock().nanos();
        double seconds = (now - lastNanos) / 1e9;
        long rate = lastRecords < 0 || records < lastRecords || seconds <= 0
                ? 0
                : Math.round((records - lastRecords) / seconds);
        lastRecords = records;
        lastNanos = now;
        String line = line(job, records, rate, terminal.interactive() ? MAX_REASON_ON_TERMINAL : Integer.MAX_VALUE);
        if (terminal.interactive()) {
            // A line as wide as the terminal would wrap and could not be redrawn.
            int width = terminal.columns() - 1;
            line = line.length() > width ? line.substring(0, width) : line;
            terminal.err()
                    .print("\r" + line + " ".repeat(Math.max(0, lastLine.length() - line.length()))
                            + (last ? System.lineSeparator() : ""));
            terminal.err().flush();
        } else {
            terminal.progress(line);
        }
        lastLine = line;
    }

    static String line(JsonNode job, long records, long rate, int maxReason) {
        long wanted = 0;
        long acquired = 0;
        for (JsonNode group : job.path("groups")) {
            wanted += group.path("desired").asLong();
            acquired += group.path("acquired").asLong();
        }
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%s  %-21s  records %,d  rate %,d/s  slots %d of %d",
                job.path("id").asText(),
                status(job),
                records,
                rate,
                acquired,
                wanted));
        int restarts = job.path("restarts").asInt();
        if (restarts > 0) {
            line.append("  restarts ").append(restarts);
        }
        String reason = job.path("reason").asText();
        if (!reason.isEmpty() && !status(job).equals("Finished")) {
            line.append("  ").append(reason.length() > maxReason ? reason.substring(0, maxReason) + "..." : reason);
        }
        return line.toString();
    }

    /** Records that came over exchanges. They are not counted twice along a chain, and no chain hides them. */
    static long exchanged(JsonNode job) {
        long records = 0;
        for (JsonNode vertex : job.path("vertices")) {
            records += vertex.path("exchangedIn").asLong();
        }
        return records;
    }

    /** How long an ended job ran, and how often it was restarted. */
    static String lasted(JsonNode job) {
        long started = job.path("startedMillis").asLong();
        long ended = job.path("endedMillis").asLong();
        if (started == 0) {
            return "before its first attempt, "
                    + seconds(ended - job.path("submittedMillis").asLong()) + " after its submission";
        }
        int restarts = job.path("restarts").asInt();
        return "after " + seconds(ended - started) + (restarts == 0 ? "" : " in " + (restarts + 1) + " attempts");
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", Math.max(0, millis) / 1_000.0);
    }

    static String status(JsonNode job) {
        return job.path("status").asText();
    }

    static boolean isEnd(String status) {
        return status.equals("Finished") || status.equals("Failed") || status.equals("Canceled");
    }

    /**
     * Whether a job failed because it did not get its required slots: its last state before the failure was waiting.
     */
    static boolean failedForLackOfResources(JsonNode job) {
        String before = "";
        for (JsonNode change : job.path("history")) {
            if (isEnd(status(change))) {
                return status(change).equals("Failed") && before.equals("WaitingForResources");
            }
            before = status(change);
        }
        return false;
    }
}

package io.berth.core.api.operations;

import io.berth.core.api.task.AttemptId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tasks as users write them, {@code VERTEX} or {@code VERTEX.SUBTASK}, and their attempts, {@code EXECUTION} or
 * {@code EXECUTION.RESTART}.
 *
 * @param subtask index; empty: all tasks of the vertex
 */
public record TaskText(String vertex, Optional<Integer> subtask) {

    private static final Pattern WITH_SUBTASK = Pattern.compile("(.+)\\.([0-9]{1,9})");
    private static final Pattern ATTEMPT = Pattern.compile("([0-9]{1,18})(?:\\.([0-9]{1,9}))?");

    /**
     * Reads a task. Names of vertices may have dots.
     *
     * @param vertices names of the vertices of the job
     * @throws IllegalArgumentException when there is no such vertex; the message says which there are
     */
    public static TaskText of(String text, List<String> vertices) {
        if (vertices.contains(text)) {
            return new TaskText(text, Optional.empty());
        }
        Matcher parts = WITH_SUBTASK.matcher(text);
        if (parts.matches() && vertices.contains(parts.group(1))) {
            return new TaskText(parts.group(1), Optional.of(Integer.parseInt(parts.group(2))));
        }
        throw new IllegalArgumentException("task is '" + text
                + "': allowed is VERTEX or VERTEX.SUBTASK, for example " + vertices.get(0) + ".0; the vertices are "
                + String.join(", ", vertices));
    }

    /**
     * Whether a text means an attempt.
     *
     * @throws IllegalArgumentException when the text means none; the message says what is allowed
     */
    public static boolean isAttempt(String text, AttemptId attempt) {
        Matcher parts = ATTEMPT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("attempt is '" + text
                    + "': allowed is the number of an execution, for example 2, or EXECUTION.RESTART, for example 2.1");
        }
        return Long.parseLong(parts.group(1)) == attempt.execution()
                && (parts.group(2) == null || Integer.parseInt(parts.group(2)) == attempt.restart());
    }

    /**
     * A task for people, with its attempt if it is not the first one: {@code count.3}, {@code count.3#2},
     * {@code count.3#2.1}. Each JobMaster of a job counts its executions from 1: with epochs, the attempt is always there,
     * and the epoch of its JobMaster, {@code count.3#1@7}.
     *
     * @param vertex that is meant of the chain; empty: the first
     * @param epochs whether there are attempts of several JobMasters
     */
    public static String label(AttemptId attempt, Optional<String> vertex, boolean epochs) {
        String task = vertex.orElse(attempt.chain()) + "." + attempt.subtask();
        if (!epochs && attempt.execution() <= 1 && attempt.restart() == 0) {
            return task;
        }
        return task + "#" + attempt.execution() + (attempt.restart() == 0 ? "" : "." + attempt.restart())
                + (epochs ? "@" + attempt.epoch() : "");
    }

    /** Whether attempts are of several JobMasters. */
    public static boolean haveSeveralEpochs(List<AttemptId> attempts) {
        return attempts.stream().mapToLong(AttemptId::epoch).distinct().count() > 1;
    }
}

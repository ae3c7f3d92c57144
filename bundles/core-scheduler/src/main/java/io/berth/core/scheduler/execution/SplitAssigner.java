package io.berth.core.scheduler.execution;

import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Hands the splits of the source vertices of one execution out, first come first served, each to one task. A question that
 * is repeated, or comes more than once, is answered with the split that was given to it. For the main thread.
 */
public final class SplitAssigner {

    private final Map<String, Deque<byte[]>> splits = new TreeMap<>();
    private final Map<String, Map<AttemptId, Given>> given = new TreeMap<>();

    /** What was given to a task last. */
    private record Given(long number, byte[] split) {}

    /** Takes the splits of a vertex; a repeated report has no effect. */
    public void report(String vertex, List<byte[]> found) {
        splits.putIfAbsent(vertex, new ArrayDeque<>(found));
    }

    /**
     * The next split for a task.
     *
     * @param number which of the splits that the task is given of the vertex, from 1
     * @throws IllegalArgumentException when the task asks for one after a split that it was not given
     */
    public SplitAnswer next(AttemptId task, String vertex, long number) {
        Deque<byte[]> left = splits.get(vertex);
        if (left == null) {
            return new SplitAnswer.NotYet();
        }
        Map<AttemptId, Given> ofVertex = given.computeIfAbsent(vertex, asked -> new TreeMap<>());
        Optional<Given> last = Optional.ofNullable(ofVertex.get(task));
        long has = last.map(Given::number).orElse(0L);
        if (number < 1 || number > has + 1) {
            throw new IllegalArgumentException("task " + task + " asks for its split " + number + " of vertex '"
                    + vertex + "' and was given " + has + ": allowed is 1 to " + (has + 1));
        }
        if (number < has) {
            // A late copy: the task has the answer, for it asked for the next one since.
            return new SplitAnswer.NotYet();
        }
        if (number == has) {
            return new SplitAnswer.Assigned(last.orElseThrow().split());
        }
        byte[] split = left.poll();
        if (split == null) {
            return new SplitAnswer.Exhausted();
        }
        ofVertex.put(task, new Given(number, split));
        return new SplitAnswer.Assigned(split);
    }
}

package io.berth.core.scheduler.execution;

import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.api.time.MainThread.RefusedException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Assigns the splits of the source vertices of one execution to tasks, first come first served, each once. A repeated
 * request gets the same split again. Confined to the main thread of the job.
 */
public final class SplitAssigner {

    private final Map<String, Reported> reported = new TreeMap<>();
    private final Map<String, Map<AttemptId, Given>> given = new TreeMap<>();

    /** The last split that was assigned. */
    private record Given(long number, byte[] split) {}

    /** The known splits of a vertex. */
    private static final class Reported {

        private final Deque<byte[]> left = new ArrayDeque<>();
        private int count;
        private boolean complete;
    }

    /**
     * Adds a part of the splits of a vertex; a repeated part has no effect.
     *
     * @throws IllegalArgumentException when an earlier part is missing
     */
    public void report(String vertex, SplitPart part) {
        Reported known = reported.computeIfAbsent(vertex, first -> new Reported());
        if (part.from() > known.count) {
            throw new IllegalArgumentException("splits of vertex '" + vertex + "' from " + part.from()
                    + " on are reported, but only " + known.count + " before them: report them in order");
        }
        if (part.from() == known.count && !known.complete) {
            known.left.addAll(part.splits());
            known.count += part.splits().size();
            known.complete = part.last();
        }
    }

    /** How many splits no task has received; empty until all are known. */
    public Optional<Long> left(String vertex) {
        Reported known = reported.get(vertex);
        return known == null || !known.complete ? Optional.empty() : Optional.of((long) known.left.size());
    }

    /**
     * The next split for a task.
     *
     * @param number which split of the vertex the task requests, from 1
     * @throws RefusedException when the task has not received the split before it
     */
    public SplitAnswer next(AttemptId task, String vertex, long number) {
        Reported known = reported.getOrDefault(vertex, new Reported());
        Map<AttemptId, Given> ofVertex = given.computeIfAbsent(vertex, asked -> new TreeMap<>());
        Optional<Given> last = Optional.ofNullable(ofVertex.get(task));
        long has = last.map(Given::number).orElse(0L);
        if (number < 1 || number > has + 1) {
            throw new RefusedException("task " + task + " asks for its split " + number + " of vertex '" + vertex
                    + "' and was given " + has + ": allowed is 1 to " + (has + 1));
        }
        if (number < has) {
            // A late copy: the task has received the answer, as it has requested the next one since.
            return new SplitAnswer.NotYet();
        }
        if (number == has) {
            return new SplitAnswer.Assigned(last.orElseThrow().split());
        }
        byte[] split = known.left.poll();
        if (split == null) {
            return known.complete ? new SplitAnswer.Exhausted() : new SplitAnswer.NotYet();
        }
        ofVertex.put(task, new Given(number, split));
        return new SplitAnswer.Assigned(split);
    }
}

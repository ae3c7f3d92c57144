package io.berth.core.scheduler.execution;

import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.api.time.MainThread.RefusedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Assigns the splits of the source vertices of one execution to tasks, first come first served, each once. A repeated
 * request gets the same split again. The splits of a task that is restarted are assigned again. Confined to the main thread of the job.
 */
public final class SplitAssigner {

    private final Map<String, Reported> reported = new TreeMap<>();
    private final Map<String, Map<AttemptId, Given>> given = new TreeMap<>();

    /** The splits that a task received, in order. */
    private static final class Given {

        private final List<byte[]> splits = new ArrayList<>();

        long number() {
            return splits.size();
        }

        byte[] last() {
            return splits.get(splits.size() - 1);
        }
    }

    /** The known splits of a vertex. */
    private static final class Reported {

        private final Deque<byte[]> left = new ArrayDeque<>();
        private boolean complete;
        /** The parts that came so far, all of one reporter: another one may divide other splits in another way. */
        private final List<byte[]> parts = new ArrayList<>();

        private Optional<AttemptId> reporter = Optional.empty();
    }

    /**
     * Adds a part of the splits of a vertex, which are assigned when all parts are there. A repeated part has no effect, nor
     * has a second report. One that ended early is forgotten when another task reports.
     *
     * @throws IllegalArgumentException when an earlier part is missing
     */
    public void report(AttemptId reporter, String vertex, SplitPart part) {
        Reported known = reported.computeIfAbsent(vertex, first -> new Reported());
        if (known.complete) {
            return;
        }
        if (!known.reporter.equals(Optional.of(reporter))) {
            known.reporter = Optional.of(reporter);
            known.parts.clear();
        }
        int count = known.parts.size();
        if (part.from() > count) {
            throw new IllegalArgumentException("splits of vertex '" + vertex + "' from " + part.from()
                    + " on are reported, but only " + count + " before them: report them in order");
        }
        if (part.from() == count) {
            known.parts.addAll(part.splits());
            if (part.last()) {
                known.complete = true;
                known.left.addAll(known.parts);
                known.parts.clear();
            }
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
            return new SplitAnswer.Assigned(last.orElseThrow().last());
        }
        byte[] split = known.left.poll();
        if (split == null) {
            return known.complete ? new SplitAnswer.Exhausted() : new SplitAnswer.NotYet();
        }
        ofVertex.computeIfAbsent(task, first -> new Given()).splits.add(split);
        return new SplitAnswer.Assigned(split);
    }

    /** The task is restarted: what it received comes first again, in the same order. */
    void takeBack(AttemptId task) {
        given.forEach((vertex, ofVertex) -> {
            Given taken = ofVertex.remove(task);
            if (taken != null) {
                Deque<byte[]> left = Objects.requireNonNull(reported.get(vertex)).left;
                for (int last = taken.splits.size() - 1; last >= 0; last--) {
                    left.addFirst(taken.splits.get(last));
                }
            }
        });
    }
}

package io.berth.core.scheduler;

import io.berth.core.api.task.TaskContext.SplitAnswer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Hands the splits of the source vertices of one execution out, first come first served. For the main thread. */
final class SplitAssigner {

    private final Map<String, Deque<byte[]>> splits = new TreeMap<>();

    /** Takes the splits of a vertex; a repeated report has no effect. */
    void report(String vertex, List<byte[]> found) {
        splits.putIfAbsent(vertex, new ArrayDeque<>(found));
    }

    SplitAnswer next(String vertex) {
        Deque<byte[]> left = splits.get(vertex);
        if (left == null) {
            return new SplitAnswer.NotYet();
        }
        byte[] split = left.poll();
        return split == null ? new SplitAnswer.Exhausted() : new SplitAnswer.Assigned(split);
    }
}

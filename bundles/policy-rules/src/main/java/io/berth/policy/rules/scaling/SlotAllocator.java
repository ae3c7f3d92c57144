package io.berth.policy.rules.scaling;

import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.JobView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Finds the parallelism that a job can run at with the slots at hand (FLIP-160, SlotAllocator). A slot is used only by
 * groups of its profile and constraints; groups that are alike share their slots as evenly as their bounds allow.
 * Vertices that forward edges connect have equal parallelism, and no vertex is below its minimum. Whether a feasible
 * change is worth a restart is decided by the scaling policy. Pure functions; immutable.
 */
public final class SlotAllocator {

    /** Whether the slots of one group serve another group as well. */
    public interface Sharing {

        /** Asked for each pair of groups, by index. */
        boolean shared(int group, int other);
    }

    private final int[] groupOf;
    /** Smallest index of the vertices that forward edges connect. */
    private final int[] forwardRoot;
    /** First group whose slots serve the group as well. */
    private final int[] kindOf;
    /** Minimum of each vertex, the same for vertices that forward edges connect. */
    private final int[] lowest;

    private final int[] highest;

    /** Groups that forward edges connect, which a vertex widens together; each combination once. */
    private final List<int[]> spans = new ArrayList<>();
    /** Span of each vertex. */
    private final int[] spanOf;

    /** @param job of which the graph is read, now and not later */
    public SlotAllocator(JobView job, Sharing sharing) {
        groupOf = new int[job.vertices()];
        Arrays.setAll(groupOf, job::group);
        kindOf = new int[job.groups()];
        for (int group = 0; group < kindOf.length; group++) {
            int first = 0;
            while (first < group && !sharing.shared(first, group)) {
                first++;
            }
            kindOf[group] = first;
        }
        forwardRoot = forwardRoots(job);
        lowest = new int[groupOf.length];
        highest = new int[groupOf.length];
        Arrays.fill(highest, Integer.MAX_VALUE);
        for (int vertex = 0; vertex < lowest.length; vertex++) {
            for (int other = 0; other < lowest.length; other++) {
                if (forwardRoot[other] == forwardRoot[vertex]) {
                    lowest[vertex] = Math.max(lowest[vertex], job.minimum(other));
                    highest[vertex] = Math.min(highest[vertex], job.maximum(other));
                }
            }
        }
        spanOf = new int[groupOf.length];
        Arrays.setAll(spanOf, this::findSpan);
    }

    private int findSpan(int vertex) {
        int[] groups = IntStream.range(0, groupOf.length)
                .filter(other -> forwardRoot[other] == forwardRoot[vertex])
                .map(other -> groupOf[other])
                .sorted()
                .distinct()
                .toArray();
        for (int span = 0; span < spans.size(); span++) {
            if (Arrays.equals(spans.get(span), groups)) {
                return span;
            }
        }
        spans.add(groups);
        return spans.size() - 1;
    }

    private static int[] forwardRoots(JobView job) {
        int[] roots = new int[job.vertices()];
        Arrays.setAll(roots, vertex -> vertex);
        for (boolean moved = true; moved; ) {
            moved = false;
            for (int edge = 0; edge < job.edges(); edge++) {
                if (job.kind(edge) == EdgeKind.FORWARD) {
                    int from = job.producer(edge);
                    int to = job.consumer(edge);
                    int root = Math.min(roots[from], roots[to]);
                    moved |= roots[from] != root || roots[to] != root;
                    roots[from] = root;
                    roots[to] = root;
                }
            }
        }
        return roots;
    }

    /**
     * What a policy desires, with the same number for vertices that forward edges connect: the smallest of theirs that
     * their bounds allow.
     */
    public List<Integer> aligned(int[] desired) {
        List<Integer> result = new ArrayList<>();
        for (int vertex = 0; vertex < desired.length; vertex++) {
            result.add(Math.max(lowest[vertex], Math.min(highest[vertex], smallest(desired, vertex))));
        }
        return result;
    }

    private int smallest(int[] values, int vertex) {
        int smallest = values[vertex];
        for (int other = 0; other < values.length; other++) {
            if (forwardRoot[other] == forwardRoot[vertex]) {
                smallest = Math.min(smallest, values[other]);
            }
        }
        return smallest;
    }

    /**
     * The parallelism that the slots allow, at most the desired one.
     *
     * @param desired of each vertex, from {@link #aligned}
     * @param slots at hand for each group
     * @return empty when the minimum of a vertex does not fit
     */
    public Optional<List<Integer>> feasible(List<Integer> desired, List<Integer> slots) {
        return widths(desired, slots).map(widths -> {
            List<Integer> result = new ArrayList<>();
            for (int vertex = 0; vertex < spanOf.length; vertex++) {
                result.add(Math.min(desired.get(vertex), width(spanOf[vertex], widths)));
            }
            return result;
        });
    }

    /** The width of the narrowest group of a span. */
    private int width(int span, int[] widths) {
        int width = Integer.MAX_VALUE;
        for (int group : spans.get(span)) {
            width = Math.min(width, widths[group]);
        }
        return width;
    }

    /** How many slots each group uses; empty when the minimum of one does not fit. */
    private Optional<int[]> widths(List<Integer> desired, List<Integer> slots) {
        int[] widths = new int[slots.size()];
        int[] bounds = new int[spans.size()];
        int[] left = new int[slots.size()];
        for (int group = 0; group < widths.length; group++) {
            left[kindOf[group]] += slots.get(group);
        }
        for (int vertex = 0; vertex < groupOf.length; vertex++) {
            int group = groupOf[vertex];
            widths[group] = Math.max(widths[group], lowest[vertex]);
            bounds[spanOf[vertex]] = Math.max(bounds[spanOf[vertex]], desired.get(vertex));
        }
        for (int group = 0; group < widths.length; group++) {
            left[kindOf[group]] -= widths[group];
        }
        if (Arrays.stream(left).anyMatch(slotsLeft -> slotsLeft < 0)) {
            return Optional.empty();
        }
        for (int span = narrowest(widths, bounds, left, slots);
                span >= 0;
                span = narrowest(widths, bounds, left, slots)) {
            int width = width(span, widths);
            for (int group : spans.get(span)) {
                if (widths[group] == width) {
                    widths[group]++;
                    left[kindOf[group]]--;
                }
            }
        }
        return Optional.of(widths);
    }

    /**
     * The narrowest span that can become wider, of several one whose groups have the next slot already; -1 when there is
     * none.
     */
    private int narrowest(int[] widths, int[] bounds, int[] left, List<Integer> slots) {
        int found = -1;
        int foundWidth = 0;
        boolean foundHasOne = false;
        for (int span = 0; span < bounds.length; span++) {
            int width = width(span, widths);
            if (width >= bounds[span] || found >= 0 && width > foundWidth || !canWiden(span, width, widths, left)) {
                continue;
            }
            boolean hasOne = hasNext(span, width, widths, slots);
            if (found < 0 || width < foundWidth || hasOne && !foundHasOne) {
                found = span;
                foundWidth = width;
                foundHasOne = hasOne;
            }
        }
        return found;
    }

    /** Whether its groups have the next slot already. */
    private boolean hasNext(int span, int width, int[] widths, List<Integer> slots) {
        for (int group : spans.get(span)) {
            if (widths[group] == width && slots.get(group) <= width) {
                return false;
            }
        }
        return true;
    }

    /** Whether there are slots for all of its groups that are no wider. */
    private boolean canWiden(int span, int width, int[] widths, int[] left) {
        for (int group : spans.get(span)) {
            int needed = 0;
            for (int other : spans.get(span)) {
                needed += kindOf[other] == kindOf[group] && widths[other] == width ? 1 : 0;
            }
            if (left[kindOf[group]] < needed) {
                return false;
            }
        }
        return true;
    }
}

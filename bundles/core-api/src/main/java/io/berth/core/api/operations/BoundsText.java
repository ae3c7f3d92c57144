package io.berth.core.api.operations;

import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bounds of the parallelism of a vertex as users write them: {@code VERTEX=N}, {@code VERTEX=MIN:MAX}, where the maximum is
 * desired too, or {@code VERTEX=MIN:DESIRED:MAX}.
 */
public final class BoundsText {

    /** What is allowed, as text for people. */
    public static final String ALLOWED = "VERTEX=N, VERTEX=MIN:MAX or VERTEX=MIN:DESIRED:MAX";

    private static final Pattern CHANGE =
            Pattern.compile("(?<vertex>.+)=(?<first>\\d{1,9})(:(?<second>\\d{1,9}))?(:(?<third>\\d{1,9}))?");

    private BoundsText() {}

    /**
     * Applies changes to bounds. Whether a job may have the result is checked where it is applied.
     *
     * @param present of all vertices
     * @param changes at most one for each vertex; the other vertices stay as they are
     * @throws IllegalArgumentException when a change cannot be read or its vertex is not known; the message names it and
     *     what is allowed
     */
    public static List<VertexBounds> apply(List<VertexBounds> present, List<String> changes) {
        List<VertexBounds> result = new ArrayList<>(present);
        List<String> names = present.stream().map(VertexBounds::vertex).toList();
        List<String> changed = new ArrayList<>();
        for (String change : changes) {
            VertexBounds bounds = read(change);
            int index = names.indexOf(bounds.vertex());
            if (index < 0) {
                throw new IllegalArgumentException(
                        "vertex is '" + bounds.vertex() + "': allowed are " + String.join(", ", names));
            }
            if (changed.contains(bounds.vertex())) {
                throw new IllegalArgumentException("vertex '" + bounds.vertex() + "' is given twice: once is allowed");
            }
            changed.add(bounds.vertex());
            result.set(index, bounds);
        }
        return List.copyOf(result);
    }

    private static VertexBounds read(String change) {
        Matcher parts = CHANGE.matcher(change);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + change + "': allowed is " + ALLOWED);
        }
        int first = Integer.parseInt(parts.group("first"));
        int second = parts.group("second") == null ? first : Integer.parseInt(parts.group("second"));
        int third = parts.group("third") == null ? second : Integer.parseInt(parts.group("third"));
        return new VertexBounds(parts.group("vertex"), first, second, third);
    }
}

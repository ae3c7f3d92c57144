package io.berth.core.policies.decision;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * A bounded number of lines for people, which are made on request; further lines are only counted. A line may keep
 * immutable values of the host, but nothing of a policy.
 */
final class Lines {

    private static final int MAX_COUNT = 200;

    private final List<Supplier<String>> lines = new ArrayList<>();
    private int more;

    static Lines of(Collection<String> made) {
        Lines lines = new Lines();
        made.forEach(line -> lines.add(() -> line));
        return lines;
    }

    Lines add(Supplier<String> line) {
        if (lines.size() < MAX_COUNT) {
            lines.add(line);
        } else {
            more++;
        }
        return this;
    }

    /** Whether another line is kept; counts it otherwise. Call this before a line that is expensive to add. */
    boolean takes() {
        if (lines.size() < MAX_COUNT) {
            return true;
        }
        more++;
        return false;
    }

    Lines addAll(Lines others) {
        others.lines.forEach(this::add);
        more += others.more;
        return this;
    }

    /** Counts lines that are not kept. */
    void more(int count) {
        more += count;
    }

    void clear() {
        lines.clear();
        more = 0;
    }

    /** How many lines {@link #all} returns. */
    int size() {
        return lines.size() + (more > 0 ? 1 : 0);
    }

    List<String> all() {
        List<String> all = new ArrayList<>(size());
        lines.forEach(line -> all.add(line.get()));
        if (more > 0) {
            all.add("and " + more + " more");
        }
        return all;
    }
}

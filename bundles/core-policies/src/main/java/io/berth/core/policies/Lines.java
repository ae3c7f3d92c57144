package io.berth.core.policies;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Lines for people, of a bounded number: what is beyond it is counted and never made. */
final class Lines {

    private static final int MOST = 200;

    private final List<String> lines = new ArrayList<>();
    private int more;

    Lines add(Supplier<String> line) {
        if (lines.size() < MOST) {
            lines.add(line.get());
        } else {
            more++;
        }
        return this;
    }

    void clear() {
        lines.clear();
        more = 0;
    }

    List<String> all() {
        List<String> all = new ArrayList<>(lines);
        if (more > 0) {
            all.add("and " + more + " more");
        }
        return all;
    }
}

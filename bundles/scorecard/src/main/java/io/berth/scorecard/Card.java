package io.berth.scorecard;

import io.berth.scorecard.check.Mark;
import java.util.List;

/**
 * The marks of one policy.
 *
 * @param kind matching, distribution or scaling
 * @param bundle symbolic name of its bundle
 */
record Card(String kind, String policy, String bundle, List<Mark> marks) {

    Card {
        marks = List.copyOf(marks);
    }

    int points() {
        return marks.stream().mapToInt(Mark::points).sum();
    }

    int ofPoints() {
        return marks.stream().mapToInt(mark -> mark.check().points()).sum();
    }

    boolean full() {
        return points() == ofPoints();
    }
}

package io.berth.core.policies.registry;

import io.berth.core.policies.text.PlainText;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/** How the last calls of a policy went. Under the lock of the table. */
final class RecentCalls {

    enum Outcome {
        DECIDED,
        FAILED,
        SLOW
    }

    private final Deque<Outcome> outcomes = new ArrayDeque<>();
    private String last = "";
    private long lastMillis;

    /**
     * @param text what was wrong, empty when nothing was
     * @param most how many are remembered
     */
    void add(Outcome outcome, String text, long wallMillis, int most) {
        outcomes.add(outcome);
        while (outcomes.size() > most) {
            outcomes.remove();
        }
        if (outcome != Outcome.DECIDED) {
            last = PlainText.cut(text);
            lastMillis = wallMillis;
        }
    }

    void clear() {
        outcomes.clear();
    }

    private long count(Outcome wanted) {
        return outcomes.stream().filter(outcome -> outcome == wanted).count();
    }

    /** Slow ones included. */
    long failures() {
        return outcomes.size() - count(Outcome.DECIDED);
    }

    /** For people; empty when nothing was wrong. */
    String text() {
        return failures() == 0
                ? ""
                : "of its last " + outcomes.size() + " calls " + count(Outcome.FAILED) + " failed and "
                        + count(Outcome.SLOW) + " were slow, the last of these at " + Instant.ofEpochMilli(lastMillis)
                        + ": " + last;
    }
}

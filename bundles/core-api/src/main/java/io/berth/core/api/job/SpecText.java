package io.berth.core.api.job;

import io.berth.core.api.time.TimeText;
import java.math.BigDecimal;

/** What is known about workers of a spec, as text for people. */
public final class SpecText {

    private static final String NOT_KNOWN = "-";

    private SpecText() {}

    /** {@code 0.25}; {@code -} for 0, which stands for a cost that is not known. */
    public static String cost(double perHour) {
        return perHour == 0
                ? NOT_KNOWN
                : BigDecimal.valueOf(perHour).stripTrailingZeros().toPlainString();
    }

    /**
     * {@code 12 s, learned from 3 starts}; {@code -} for 0, which stands for a time that is not known.
     *
     * @param learnedFrom 0: the backend says it
     */
    public static String start(long millis, int learnedFrom) {
        if (millis == 0) {
            return NOT_KNOWN;
        }
        String time = TimeText.of(millis);
        return learnedFrom == 0
                ? time
                : time + ", learned from " + learnedFrom + (learnedFrom == 1 ? " start" : " starts");
    }
}

package io.berth.benchmark.rescale;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * When the moments of one step were.
 *
 * @param nanos of each moment that there was, monotonic
 * @param executions that began; more than one when the slots did not come together
 */
public record StepTimes(Map<Moment, Long> nanos, int executions) {

    public StepTimes {
        nanos = new EnumMap<>(nanos);
    }

    /** Milliseconds of a phase, which begins with the latest earlier moment that there was; 0 without its moment. */
    double phase(Moment end) {
        Long until = nanos.get(end);
        if (until == null) {
            return 0;
        }
        long from = until;
        for (Moment earlier : Moment.values()) {
            if (earlier == end) {
                break;
            }
            from = nanos.getOrDefault(earlier, from);
        }
        return (until - from) / 1e6;
    }

    /**
     * Milliseconds from the moment at which all slots were there, or from the beginning of a step that needs none, until
     * all tasks run.
     */
    double sinceAvailable() {
        long from = nanos.getOrDefault(Moment.AVAILABLE, at(Moment.BEGUN));
        return (at(Moment.RUNNING) - from) / 1e6;
    }

    private long at(Moment moment) {
        return Objects.requireNonNull(nanos.get(moment), () -> "there was no " + moment);
    }
}

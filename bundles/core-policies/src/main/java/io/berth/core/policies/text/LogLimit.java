package io.berth.core.policies.text;

import io.berth.core.api.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limits what the host logs about one bundle: a few lines in each period; the first line of the next period says how
 * many were left out. A policy that fails or is installed in a loop does not fill the disk. Thread-safe.
 */
public final class LogLimit {

    static final int LINES = 40;
    static final long PERIOD_MILLIS = 10_000;
    private static final int MAX_KEYS = 1_000;

    private final Clock clock;
    private final Map<String, Period> periods = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Period> eldest) {
            return size() > MAX_KEYS;
        }
    };

    public LogLimit(Clock clock) {
        this.clock = clock;
    }

    private static final class Period {
        private long began;
        private int lines;
        private int leftOut;
    }

    /**
     * Whether a line about the bundle may be logged.
     *
     * @return empty: not now; else what to append to the line, mostly nothing
     */
    public synchronized Optional<String> line(String bundle) {
        long now = clock.millis();
        Period period = periods.get(bundle);
        if (period == null) {
            period = new Period();
            period.began = now;
            periods.put(bundle, period);
        }
        String suffix = "";
        if (now - period.began >= PERIOD_MILLIS) {
            suffix = period.leftOut == 0 ? "" : " (" + period.leftOut + " lines about this bundle were left out)";
            period.began = now;
            period.lines = 0;
            period.leftOut = 0;
        }
        if (period.lines >= LINES) {
            period.leftOut++;
            return Optional.empty();
        }
        period.lines++;
        return Optional.of(suffix);
    }
}

package io.berth.core.resources.backends;

import io.berth.core.api.time.Clock;
import io.berth.core.resources.settings.ResourceSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Pauses requests to a backend after too many failed starts in a minute. A start failed if the worker could not be
 * started, ended before it registered, or did not register in time. Confined to the main thread.
 */
public final class StartFailures {

    private static final long WINDOW_MILLIS = 60_000;

    private final Clock clock;
    private final Supplier<ResourceSettings> settings;
    private final SortedMap<String, Deque<Long>> failures = new TreeMap<>();
    private final SortedMap<String, Long> pausedUntil = new TreeMap<>();

    public StartFailures(Clock clock, Supplier<ResourceSettings> settings) {
        this.clock = clock;
        this.settings = settings;
    }

    /**
     * Counts a failed start.
     *
     * @return whether a new pause begins
     */
    public boolean failed(String backend) {
        long now = clock.millis();
        int most = settings.get().startFailuresPerMinute();
        Deque<Long> recent = failures.computeIfAbsent(backend, name -> new ArrayDeque<>());
        recent.addLast(now);
        // Older ones do not matter.
        while (recent.size() > most + 1 || now - recent.getFirst() >= WINDOW_MILLIS) {
            recent.removeFirst();
        }
        if (recent.size() <= most || paused(backend)) {
            return false;
        }
        pausedUntil.put(backend, now + settings.get().startPauseMillis());
        return true;
    }

    /** Whether no new worker may be requested from the backend now. */
    boolean paused(String backend) {
        return pausedMillis(backend) > 0;
    }

    /** For how long no new worker may be requested from the backend; 0 if one may be requested now. */
    public long pausedMillis(String backend) {
        Long until = pausedUntil.get(backend);
        return until == null ? 0 : Math.max(0, until - clock.millis());
    }

    /** Another backend takes the name. */
    void forget(String backend) {
        failures.remove(backend);
        pausedUntil.remove(backend);
    }
}

package io.berth.core.resources.backends;

import io.berth.core.api.time.Clock;
import io.berth.core.resources.settings.ResourceSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Slows a backend down that fails to start workers: with more failures in a minute than allowed, no new worker is asked
 * of it for a while (reference 1.9). A failure is a worker that could not be started, ended before it registered, or did
 * not register in time. Confined to the main thread.
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
     * A start failed.
     *
     * @return whether that begins a pause; not while there is one
     */
    public boolean failed(String backend) {
        long now = clock.millis();
        int most = settings.get().startFailuresPerMinute();
        Deque<Long> recent = failures.computeIfAbsent(backend, name -> new ArrayDeque<>());
        recent.addLast(now);
        // No more is ever asked than whether there are more than that.
        while (recent.size() > most + 1 || now - recent.getFirst() >= WINDOW_MILLIS) {
            recent.removeFirst();
        }
        if (recent.size() <= most || paused(backend)) {
            return false;
        }
        pausedUntil.put(backend, now + settings.get().startPauseMillis());
        return true;
    }

    /** Whether no new worker is to be asked of the backend now. */
    boolean paused(String backend) {
        return pausedUntil.getOrDefault(backend, Long.MIN_VALUE) > clock.millis();
    }

    /** The backend is another one. */
    void forget(String backend) {
        failures.remove(backend);
        pausedUntil.remove(backend);
    }
}

package io.berth.core.resources.backends;

import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.Clock;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.spi.backend.StartFailure;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * How starts of workers go, by spec: the last failure, the pause after it, what the cluster manager says about requests
 * that it has queued, and how long starts take. Confined to the main thread.
 */
public final class SpecStarts {

    private static final long MAX_PAUSE_MILLIS = 60_000;
    private static final int MAX_FAILURES = 30;

    private final Clock clock;
    private final Supplier<ResourceSettings> settings;
    /** By BACKEND/SPEC. */
    private final SortedMap<String, Starts> specs = new TreeMap<>();

    private final StartTimes times;

    public SpecStarts(Clock clock, Supplier<ResourceSettings> settings) {
        this.clock = clock;
        this.settings = settings;
        times = new StartTimes(clock);
    }

    /** How long starts take. */
    StartTimes times() {
        return times;
    }

    private static final class Starts {
        private String failure = "";
        private String queued = "";
        /** When a request was queued, unless none is. */
        private long queuedAtMillis;

        private int failures;
        /** Workers in a row that registered with less than their spec has. */
        private int smaller;
        /** When the pause ends; 0: none began. */
        private long untilMillis;

        private String retryAt = "";
    }

    private Starts of(String kind) {
        return specs.computeIfAbsent(kind, name -> new Starts());
    }

    /**
     * A start failed, and the cluster manager cannot start workers of the spec for now.
     *
     * @return the length of the pause
     */
    long pause(String kind, StartFailure failure) {
        Starts starts = of(kind);
        starts.failures = Math.min(starts.failures + 1, MAX_FAILURES);
        long first = settings.get().startPauseMillis();
        return pause(
                starts,
                failure.retryMillis()
                        .orElseGet(
                                () -> Backoff.millisAfter(starts.failures, first, Math.max(first, MAX_PAUSE_MILLIS))));
    }

    /**
     * A worker registered with less than its spec has. The next one most likely does too, so each pause is twice as long,
     * up to an hour, until a worker comes as large as the spec.
     *
     * @return the length of the pause
     */
    long cameSmaller(String kind, String text) {
        failed(kind, text);
        Starts starts = of(kind);
        long left = starts.untilMillis - clock.millis();
        if (starts.smaller > 0 && left > 0) {
            // It was requested together with the worker that the pause is about.
            return left;
        }
        starts.smaller = Math.min(starts.smaller + 1, MAX_FAILURES);
        long first = settings.get().startPauseMillis();
        return pause(
                starts, Backoff.millisAfter(starts.smaller, first, Math.max(first, StartFailure.MAX_RETRY_MILLIS)));
    }

    /** A worker registered as large as its spec. */
    void cameWhole(String kind) {
        Starts starts = specs.get(kind);
        if (starts != null && starts.smaller > 0) {
            starts.smaller = 0;
            started(kind);
        }
    }

    private long pause(Starts starts, long millis) {
        starts.untilMillis = clock.millis() + millis;
        starts.retryAt = Instant.ofEpochMilli(clock.wallMillis() + millis)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        return millis;
    }

    /** @return false if the last start failed in the same way */
    boolean failed(String kind, String text) {
        Starts starts = of(kind);
        boolean other = !starts.failure.equals(text);
        starts.failure = text;
        starts.queued = "";
        return other;
    }

    /** A reason that does not replace that of the backend itself. */
    void failedUnlessKnown(String kind, String text) {
        if (of(kind).failure.isEmpty()) {
            of(kind).failure = text;
        }
    }

    /** @return false if nothing changes */
    boolean queued(String kind, String text) {
        Starts starts = of(kind);
        boolean other = !text.equals(starts.queued);
        if (starts.queued.isEmpty()) {
            starts.queuedAtMillis = clock.millis();
        }
        starts.queued = text;
        return other;
    }

    /** No worker of the spec is requested, so none is queued. */
    void notRequested(String kind) {
        Optional.ofNullable(specs.get(kind)).ifPresent(starts -> starts.queued = "");
    }

    /** A worker started. A pause stays: it is about further workers. So does what is known of their size. */
    void started(String kind) {
        Starts starts = specs.get(kind);
        if (starts != null && starts.smaller == 0 && starts.untilMillis <= clock.millis()) {
            specs.remove(kind);
        } else if (starts != null) {
            starts.failures = 0;
            starts.queued = "";
        }
    }

    /** For how long no worker of the spec is requested; 0 if one may be requested now. */
    public long pausedMillis(String kind) {
        Starts starts = specs.get(kind);
        return starts == null ? 0 : Math.max(0, starts.untilMillis - clock.millis());
    }

    boolean paused(String kind) {
        return pausedMillis(kind) > 0;
    }

    boolean anyPaused() {
        return specs.values().stream().anyMatch(starts -> starts.untilMillis > clock.millis());
    }

    /** Why workers of the spec do not start, and when it is tried again if that is paused. */
    Optional<String> failure(String kind) {
        return Optional.ofNullable(specs.get(kind))
                .filter(starts -> !starts.failure.isEmpty())
                .map(starts -> starts.failure + (paused(kind) ? "; tried again at " + starts.retryAt : ""));
    }

    /** What the cluster manager says about requests that it has queued; empty if nothing. */
    String queued(String kind) {
        return Optional.ofNullable(specs.get(kind)).map(starts -> starts.queued).orElse("");
    }

    /** For how long requests have been queued; 0 if none are. */
    long queuedMillis(String kind) {
        return Optional.ofNullable(specs.get(kind))
                .filter(starts -> !starts.queued.isEmpty())
                .map(starts -> clock.millis() - starts.queuedAtMillis)
                .orElse(0L);
    }

    /** The spec is gone, or its workers are others from now on. */
    void forget(String kind) {
        forgetFailures(kind);
        times.forget(kind);
    }

    /** Starts of the spec may go well again. */
    void forgetFailures(String kind) {
        specs.remove(kind);
    }

    /** Another backend takes the name. */
    void forgetBackend(String backend) {
        specs.keySet().removeIf(kind -> kind.startsWith(backend + "/"));
        times.forgetBackend(backend);
    }
}

package io.berth.core.api.fake;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Clock, timers and thread pool of one test. Time passes only when the test advances it, and actions run on the thread
 * that does so. Thread-safe.
 */
public final class ManualTime implements Clock, Timers, Executor {

    private record Timer(long due, long number, Runnable action) {}

    private final Queue<Runnable> actions = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::due).thenComparingLong(Timer::number));
    private long now = 1_000;
    private long count;
    private long ran;

    @Override
    public synchronized long nanos() {
        return now * 1_000_000;
    }

    @Override
    public synchronized long wallMillis() {
        return now;
    }

    @Override
    public synchronized void execute(Runnable action) {
        actions.add(action);
    }

    @Override
    public synchronized Cancellable schedule(long delayMillis, Runnable action) {
        Timer timer = new Timer(now + Math.max(0, delayMillis), ++count, action);
        timers.add(timer);
        return () -> cancel(timer);
    }

    private synchronized void cancel(Timer timer) {
        timers.remove(timer);
    }

    /** How many timers have run. */
    public synchronized long ran() {
        return ran;
    }

    /** How many timers have not run yet and are not canceled. */
    public synchronized int pending() {
        return timers.size();
    }

    /** Runs what is due now. */
    public void settle() {
        Optional<Runnable> next = next();
        while (next.isPresent()) {
            next.get().run();
            next = next();
        }
    }

    private synchronized Optional<Runnable> next() {
        if (!actions.isEmpty()) {
            return Optional.of(actions.remove());
        }
        if (timers.isEmpty() || timers.peek().due() > now) {
            return Optional.empty();
        }
        ran++;
        return Optional.of(timers.remove().action());
    }

    /** Time passes, and each timer runs when it is due. */
    public void advance(long millis) {
        long end = wallMillis() + millis;
        do {
            settle();
        } while (skipToNextTimer(end));
    }

    private synchronized boolean skipToNextTimer(long end) {
        if (timers.isEmpty() || timers.peek().due() > end) {
            now = Math.max(now, end);
            return false;
        }
        now = Math.max(now, timers.peek().due());
        return true;
    }

    /** Time passes and nothing runs, as if the process was paused. */
    public synchronized void pause(long millis) {
        now += millis;
    }

    /** Time passes at once, and then everything that is due runs. */
    public void jump(long millis) {
        pause(millis);
        settle();
    }
}

package io.berth.core.policies;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.core.policies.registry.HostSettings;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs everything on one thread. Time passes only when the test advances it. */
public final class Stage implements Clock, Timers, GuardThreads {

    private record Timer(long at, long number, Runnable action) {}

    /** What is configured, by PID. */
    public final SortedMap<String, SortedMap<String, String>> configured = new TreeMap<>();

    private final Deque<Runnable> actions = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));
    private long millis = 1_000_000;
    private long made;

    @Override
    public long nanos() {
        return millis * 1_000_000;
    }

    @Override
    public long wallMillis() {
        return millis;
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable action) {
        Timer timer = new Timer(millis + delayMillis, made++, action);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    @Override
    public void execute(Runnable call) {
        actions.add(call);
    }

    @Override
    public void abandoned() {}

    @Override
    public void returned() {}

    @Override
    public void end() {}

    /** Runs what was submitted, and what that submits. */
    public void runAll() {
        while (!actions.isEmpty()) {
            actions.remove().run();
        }
    }

    /** Time passes during a call: what becomes due runs later. */
    public void pass(long delayMillis) {
        millis += delayMillis;
    }

    /** Lets time pass, and runs what becomes due, in order. */
    public void advance(long delayMillis) {
        long end = millis + delayMillis;
        runAll();
        while (!timers.isEmpty() && timers.peek().at() <= end) {
            Timer next = timers.remove();
            millis = Math.max(millis, next.at());
            next.action().run();
            runAll();
        }
        millis = end;
    }

    /** A policy host whose threads and timers these are. */
    public PolicyPlatform platform(HostSettings settings) {
        return new PolicyPlatform(
                new PolicyHostNode.Environment(
                        this,
                        this,
                        this::execute,
                        bundle -> this,
                        pid -> configured.getOrDefault(pid, new TreeMap<>()),
                        failure -> {
                            throw new AssertionError(failure);
                        }),
                settings);
    }
}

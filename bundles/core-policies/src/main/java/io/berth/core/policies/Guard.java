package io.berth.core.policies;

import io.berth.core.api.time.Timers;
import io.berth.spi.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs foreign code: on threads of the policy's bundle, with its class loader as context and a deadline that begins when
 * the call does. Whatever happens becomes a {@link CallOutcome}. A call over its deadline is interrupted once and then
 * given up on; a bundle with too many of those gets no more threads. Called on any thread; never blocks.
 */
final class Guard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
    private static final int MOST_ABANDONED = 4;
    private static final int LONGEST_TEXT = 500;

    private final Function<String, GuardThreads> threads;
    private final Timers timers;
    private final SortedMap<String, Lane> lanes = new TreeMap<>();
    private boolean closed;

    Guard(Function<String, GuardThreads> threads, Timers timers) {
        this.threads = threads;
        this.timers = timers;
    }

    /** Calls; the stage completes on a thread of the bundle or of the timers, and never exceptionally. */
    <T> CompletionStage<CallOutcome<T>> call(Registration policy, String what, long deadlineMillis, Callable<T> body) {
        CompletableFuture<CallOutcome<T>> result = new CompletableFuture<>();
        // Twice: the lane may have been ended for the bundle's last policy while this call is for its next one.
        boolean accepted = submit(policy, what, deadlineMillis, body, result)
                || submit(policy, what, deadlineMillis, body, result);
        if (!accepted) {
            result.complete(new CallOutcome.Failed<>("bundle " + policy.bundle() + " has no policy any more", false));
        }
        return result;
    }

    private <T> boolean submit(
            Registration policy,
            String what,
            long deadlineMillis,
            Callable<T> body,
            CompletableFuture<CallOutcome<T>> result) {
        Lane lane;
        synchronized (this) {
            if (closed) {
                return result.complete(new CallOutcome.Failed<>("the policy host has ended", false));
            }
            lane = lanes.computeIfAbsent(policy.guard(), key -> new Lane(threads.apply(key)));
            if (lane.abandoned >= MOST_ABANDONED) {
                return result.complete(new CallOutcome.Failed<>(
                        lane.abandoned + " calls into bundle " + policy.bundle() + " never returned; " + what
                                + " was not tried",
                        true));
            }
        }
        try {
            lane.threads.execute(new Call<>(lane, policy, what, deadlineMillis, body, result));
            return true;
        } catch (RejectedExecutionException ended) {
            return false;
        }
    }

    /**
     * Ends the threads of a bundle that has no policy left. With calls that never returned the bundle stays counted, so
     * that coming and going does not buy it more threads; the others end when they idle.
     */
    void end(String guard) {
        Lane lane;
        synchronized (this) {
            lane = lanes.get(guard);
            if (lane == null || lane.abandoned > 0) {
                return;
            }
            lanes.remove(guard);
        }
        lane.threads.end();
    }

    /** How many calls never returned. */
    synchronized int abandoned() {
        return lanes.values().stream().mapToInt(lane -> lane.abandoned).sum();
    }

    @Override
    public void close() {
        List<Lane> ending;
        synchronized (this) {
            closed = true;
            ending = new ArrayList<>(lanes.values());
            lanes.clear();
        }
        ending.forEach(lane -> lane.threads.end());
    }

    private synchronized void abandon(Lane lane) {
        lane.abandoned++;
        lane.threads.abandoned();
    }

    private synchronized void comeBack(Lane lane) {
        lane.abandoned--;
        lane.threads.returned();
    }

    private static final class Lane {
        private final GuardThreads threads;
        private int abandoned;

        private Lane(GuardThreads threads) {
            this.threads = threads;
        }
    }

    private final class Call<T> implements Runnable {
        private final Lane lane;
        private final Registration policy;
        private final String what;
        private final long deadlineMillis;
        private final CompletableFuture<CallOutcome<T>> result;
        private Callable<T> body;
        private Thread thread;
        private boolean over;

        private Call(
                Lane lane,
                Registration policy,
                String what,
                long deadlineMillis,
                Callable<T> body,
                CompletableFuture<CallOutcome<T>> result) {
            this.lane = lane;
            this.policy = policy;
            this.what = what;
            this.deadlineMillis = deadlineMillis;
            this.body = body;
            this.result = result;
        }

        @Override
        public void run() {
            synchronized (this) {
                thread = Thread.currentThread();
            }
            Timers.Cancellable deadline = timers.schedule(deadlineMillis, this::expire);
            CallOutcome<T> outcome = guarded();
            deadline.cancel();
            boolean inTime;
            synchronized (this) {
                inTime = !over;
                over = true;
                thread = null;
                body = null;
                Thread.interrupted();
            }
            if (inTime) {
                result.complete(outcome);
            } else {
                comeBack(lane);
            }
        }

        private CallOutcome<T> guarded() {
            Thread current = Thread.currentThread();
            ClassLoader before = current.getContextClassLoader();
            try {
                current.setContextClassLoader(policy.loader());
                return new CallOutcome.Returned<>(body.call());
            } catch (InvalidConfigurationException refused) {
                return new CallOutcome.Refused<>(cut(String.valueOf(refused.getMessage())));
            } catch (Throwable failure) {
                return new CallOutcome.Failed<>(what + " threw " + text(failure), false);
            } finally {
                current.setContextClassLoader(before);
            }
        }

        private void expire() {
            StackTraceElement[] stack;
            synchronized (this) {
                if (over) {
                    return;
                }
                over = true;
                stack = thread.getStackTrace();
                // Under the lock, so that the interrupt cannot meet the next call on this thread.
                thread.interrupt();
            }
            abandon(lane);
            StringBuilder trace = new StringBuilder();
            for (StackTraceElement frame : stack) {
                trace.append("\n\tat ").append(frame);
            }
            LOG.warn("bundle {}: {} did not return within {} ms and is given up on; it hangs{}",
                    policy.bundle(), what, deadlineMillis, trace);
            result.complete(new CallOutcome.Failed<>(
                    what + " did not return within " + deadlineMillis + " ms", true));
        }
    }

    /** Class, message and place of a throwable. Runs on a guarded thread: even these may be foreign code. */
    private static String text(Throwable failure) {
        String name = failure.getClass().getName();
        try {
            StackTraceElement[] stack = failure.getStackTrace();
            String place = stack.length == 0 ? "" : " at " + stack[0];
            String message = failure.getMessage();
            return cut(name + (message == null ? "" : ": " + message) + place);
        } catch (Throwable hostile) {
            return cut(name);
        }
    }

    /** One bounded line. */
    static String cut(String text) {
        if (text == null) {
            return "";
        }
        String line = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "..." : text;
        return line.replace('\n', ' ').replace('\r', ' ');
    }
}

package io.berth.core.policies.guard;

import io.berth.core.api.operations.PolicyMetrics.FailureKind;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import io.berth.core.policies.meters.Meters;
import io.berth.core.policies.meters.PolicyMeter;
import io.berth.core.policies.registration.Registration;
import io.berth.core.policies.text.LogLimit;
import io.berth.core.policies.text.ThrowableText;
import io.berth.policy.rules.PlainText;
import io.berth.spi.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs foreign code on threads of its bundle, with its class loader as context and a deadline that begins with the
 * call. The calls for each pool have threads of their own, so that those for one take none from another. Every result
 * or failure becomes a {@link CallOutcome}. A call of a deciding instance is given up when it gets no thread in time;
 * trials, and closing an instance, wait. A call over its deadline is interrupted once and then given up; when the whole
 * process was paused, it first gets a second deadline, and while its deadline is suspended ({@link CallDeadline}), it is
 * only logged. A bundle with too many such calls, for one pool or in all, gets no more threads. Each call is measured by
 * its name. Thread-safe; never blocks.
 */
public final class Guard implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
    private static final int MAX_ABANDONED = 4;
    /** Of a bundle, for all pools and other owners. */
    private static final int MAX_ABANDONED_IN_ALL = 16;
    /** A call waits at most this number of deadlines for a thread of its bundle. */
    private static final int MAX_DEADLINES_QUEUED = 5;
    /** A timer that is late by more than this part of the deadline was held up. */
    private static final int MAX_LATE_PART = 4;

    /** What runs in the guard. */
    public interface Body<T> {

        /** @param phases must be notified when another call into the policy begins than the one that was named first */
        T call(Phases phases) throws Exception;
    }

    /** Ends the result of a call that nobody takes. Runs in the guard, on the thread of the call. */
    public interface Discard<T> {

        void discard(T made) throws Exception;
    }

    private final Function<String, GuardThreads> threads;
    private final Timers timers;
    private final Clock clock;
    private final Meters meters;
    private final ProcessWatch process;
    private final LogLimit limit;
    /** By the names of their threads. */
    private final SortedMap<String, Bulkhead> lanes = new TreeMap<>();
    /** Of all bundles. */
    private int abandoned;

    private boolean closed;

    public Guard(Function<String, GuardThreads> threads, Timers timers, Clock clock, Meters meters) {
        this.threads = threads;
        this.timers = timers;
        this.clock = clock;
        this.meters = meters;
        this.process = new ProcessWatch(new LogLimit(clock));
        this.limit = new LogLimit(clock);
    }

    public Meters meters() {
        return meters;
    }

    /** Makes one call into a policy. */
    public <T> CompletionStage<CallOutcome<T>> call(
            Registration policy, PolicyCall call, CallDeadline deadline, Callable<T> body) {
        return call(policy, call, call.label(), deadline, phases -> body.call());
    }

    /**
     * Calls a policy that does not decide yet: to inspect it, or to try a configuration. Trials have threads of their
     * own, so that hanging ones take none from a deciding instance.
     */
    public <T> CompletionStage<CallOutcome<T>> tryOut(
            Registration policy, PolicyCall call, CallDeadline deadline, Callable<T> body) {
        return call(
                Bulkhead.Key.of(trials(policy.guard())),
                policy,
                call,
                call.label(),
                deadline,
                phases -> body.call(),
                made -> {});
    }

    private static String trials(String guard) {
        return guard + "-trials";
    }

    /**
     * The stage completes on a thread of the bundle or of the timers, and never exceptionally.
     *
     * @param first the call that the body begins with
     * @param what for people
     */
    public <T> CompletionStage<CallOutcome<T>> call(
            Registration policy, PolicyCall first, String what, CallDeadline deadline, Body<T> body) {
        return call(policy, first, what, deadline, body, made -> {});
    }

    /**
     * The same for a result that must be ended when nobody takes it.
     *
     * @param discard receives a result that came too late or counts as failed
     */
    public <T> CompletionStage<CallOutcome<T>> call(
            Registration policy,
            PolicyCall first,
            String what,
            CallDeadline deadline,
            Body<T> body,
            Discard<T> discard) {
        return call(Optional.empty(), policy, first, what, deadline, body, discard);
    }

    /**
     * The same on the threads of a pool.
     *
     * @param pool empty: on those of all other owners
     */
    public <T> CompletionStage<CallOutcome<T>> call(
            Optional<String> pool,
            Registration policy,
            PolicyCall first,
            String what,
            CallDeadline deadline,
            Body<T> body,
            Discard<T> discard) {
        return call(new Bulkhead.Key(policy.guard(), pool), policy, first, what, deadline, body, discard);
    }

    private <T> CompletionStage<CallOutcome<T>> call(
            Bulkhead.Key threadsOf,
            Registration policy,
            PolicyCall first,
            String what,
            CallDeadline deadline,
            Body<T> body,
            Discard<T> discard) {
        CompletableFuture<CallOutcome<T>> result = new CompletableFuture<>();
        // Twice: the lane may be ending with the bundle's previous policy.
        boolean accepted = submit(threadsOf, policy, first, what, deadline, body, discard, result);
        if (!accepted) {
            accepted = submit(threadsOf, policy, first, what, deadline, body, discard, result);
        }
        if (!accepted) {
            result.complete(new CallOutcome.Failed<>("bundle " + policy.bundle() + " has no policy", false));
        }
        return result;
    }

    private <T> boolean submit(
            Bulkhead.Key threadsOf,
            Registration policy,
            PolicyCall first,
            String what,
            CallDeadline deadline,
            Body<T> body,
            Discard<T> discard,
            CompletableFuture<CallOutcome<T>> result) {
        PolicyMeter meter = meters.of(policy);
        boolean mayWait = first == PolicyCall.CLOSE || !threadsOf.guard().equals(policy.guard());
        boolean waits;
        Bulkhead lane;
        synchronized (this) {
            if (closed) {
                return result.complete(new CallOutcome.Failed<>("the policy host has ended", false));
            }
            lane = lanes.computeIfAbsent(threadsOf.name(), name -> new Bulkhead(threadsOf, threads.apply(name)));
            if (full(lane)) {
                meter.failed(first, FailureKind.NOT_TRIED);
                return result.complete(notTried(lane, policy, what));
            }
            waits = lane.calls > 0;
            lane.calls++;
            lane.ending = false;
        }
        meter.asked();
        Call<T> call = new Call<>(lane, policy, meter, first, what, deadline, body, discard, result);
        if (waits && !mayWait) {
            call.giveUpAfter(MAX_DEADLINES_QUEUED * deadline.millis());
        }
        try {
            lane.threads.execute(call);
            return true;
        } catch (RejectedExecutionException ended) {
            call.withdraw();
            return false;
        } catch (OutOfMemoryError noThread) {
            call.withdraw();
            return result.complete(new CallOutcome.Failed<>(
                    what + " was not tried: there is no thread for it (" + ThrowableText.of(noThread) + ")",
                    CallOutcome.Fault.NO_THREAD));
        }
    }

    private synchronized <T> CallOutcome<T> notTried(Bulkhead lane, Registration policy, String what) {
        boolean own = lane.abandoned >= MAX_ABANDONED;
        return new CallOutcome.Failed<>(
                (own ? lane.abandoned : abandonedOf(lane.key.guard())) + " calls into bundle " + policy.bundle()
                        + (own ? lane.key.words() : "") + " never returned; " + what + " was not tried",
                true);
    }

    /**
     * Ends the threads of a bundle without policies after the current calls. A bundle with calls that never returned
     * stays counted, so that installing it again does not give it more threads.
     */
    public synchronized void end(String guard) {
        end(lane -> lane.key.guard().equals(guard) || lane.key.guard().equals(trials(guard)));
    }

    /** Ends the threads of all other pools after the current calls. */
    public synchronized void retainPools(Collection<String> pools) {
        end(lane -> lane.key.pool().filter(pool -> !pools.contains(pool)).isPresent());
    }

    private void end(Predicate<Bulkhead> which) {
        for (Bulkhead lane : List.copyOf(lanes.values())) {
            if (which.test(lane)) {
                lane.ending = true;
                endIdle(lane);
            }
        }
    }

    private void endIdle(Bulkhead lane) {
        if (lane.ending && lane.calls == 0 && lane.abandoned == 0 && lanes.remove(lane.key.name(), lane)) {
            lane.threads.end();
        }
    }

    /** Number of calls that never returned. */
    public synchronized int abandoned() {
        return abandoned;
    }

    private int abandonedOf(String guard) {
        return lanes.values().stream()
                .filter(lane -> lane.key.guard().equals(guard))
                .mapToInt(lane -> lane.abandoned)
                .sum();
    }

    @Override
    public void close() {
        List<Bulkhead> ending;
        synchronized (this) {
            closed = true;
            ending = new ArrayList<>(lanes.values());
            lanes.clear();
        }
        ending.forEach(lane -> lane.threads.end());
    }

    private synchronized void abandon(Bulkhead lane) {
        lane.calls--;
        lane.abandoned++;
        abandoned++;
        lane.threads.abandoned();
        // It may have returned before it was counted.
        endIdle(lane);
    }

    private synchronized void returned(Bulkhead lane) {
        lane.abandoned--;
        abandoned--;
        lane.threads.returned();
        endIdle(lane);
    }

    private synchronized void left(Bulkhead lane) {
        lane.calls--;
        endIdle(lane);
    }

    private synchronized boolean full(Bulkhead lane) {
        return lane.abandoned >= MAX_ABANDONED
                || abandoned >= MAX_ABANDONED_IN_ALL && abandonedOf(lane.key.guard()) >= MAX_ABANDONED_IN_ALL;
    }

    private final class Call<T> implements Runnable, Phases {
        private final Bulkhead lane;
        private final Registration policy;
        private final PolicyMeter meter;
        private final String what;
        private final CallDeadline deadline;
        private final long deadlineMillis;
        private final CompletableFuture<CallOutcome<T>> result;
        private final long askedNanos = clock.nanos();
        private final Discard<T> discard;
        private @Nullable Body<T> body;
        private Optional<ProcessWatch.Visit> visit = Optional.empty();
        private @Nullable Thread thread;
        private boolean over;
        private PolicyCall phase;
        private long phaseNanos;
        private long begunNanos;
        private long expectedSinceNanos;
        private int suspensions;
        private Optional<Timers.Cancellable> expiry = Optional.empty();
        private Optional<Timers.Cancellable> queued = Optional.empty();

        private Call(
                Bulkhead lane,
                Registration policy,
                PolicyMeter meter,
                PolicyCall first,
                String what,
                CallDeadline deadline,
                Body<T> body,
                Discard<T> discard,
                CompletableFuture<CallOutcome<T>> result) {
            this.lane = lane;
            this.policy = policy;
            this.meter = meter;
            this.phase = first;
            this.what = what;
            this.deadline = deadline;
            this.deadlineMillis = deadline.millis();
            this.body = body;
            this.discard = discard;
            this.result = result;
        }

        private void giveUpAfter(long millis) {
            queued = Optional.of(timers.schedule(millis, () -> {
                if (deadline.isSuspended()) {
                    waitOn(millis);
                } else if (withdraw()) {
                    meter.failed(phase, FailureKind.NOT_TRIED);
                    result.complete(new CallOutcome.Failed<>(
                            what + " was not tried: it waited " + millis + " ms for a thread of bundle "
                                    + policy.bundle() + ", whose other calls" + lane.key.words() + " take too long",
                            CallOutcome.Fault.NO_THREAD));
                }
            }));
        }

        private synchronized void waitOn(long millis) {
            if (!over && thread == null) {
                giveUpAfter(millis);
            }
        }

        /** Ends the call before it starts; false when it runs or has ended. */
        private boolean withdraw() {
            synchronized (this) {
                if (over || thread != null) {
                    return false;
                }
                over = true;
                body = null;
                meter.ended();
            }
            queued.ifPresent(Timers.Cancellable::cancel);
            left(lane);
            return true;
        }

        @Override
        public void run() {
            if (full(lane)) {
                // The previous calls hang: this one would only cost another thread.
                if (withdraw()) {
                    meter.failed(phase, FailureKind.NOT_TRIED);
                    result.complete(notTried(lane, policy, what));
                }
                return;
            }
            synchronized (this) {
                if (over) {
                    return;
                }
                queued.ifPresent(Timers.Cancellable::cancel);
                thread = Thread.currentThread();
                phaseNanos = clock.nanos();
                begunNanos = phaseNanos;
                expectEnd(true);
                meter.waited(phaseNanos - askedNanos);
            }
            CallOutcome<T> outcome = guarded();
            boolean inTime;
            synchronized (this) {
                expiry.ifPresent(Timers.Cancellable::cancel);
                inTime = !over;
                if (inTime) {
                    meter.took(phase, clock.nanos() - phaseNanos);
                    failure(outcome).ifPresent(failure -> meter.failed(phase, failure));
                    meter.ended();
                }
                over = true;
                thread = null;
                body = null;
                Thread.interrupted();
            }
            if (inTime) {
                left(lane);
                result.complete(outcome);
            } else {
                if (outcome instanceof CallOutcome.Returned<T> late) {
                    discard(late.value());
                }
                meter.returned();
                returned(lane);
            }
        }

        /** Foreign code, too: with the same context, and its failure is only logged. */
        private void discard(T made) {
            if (made == null) {
                return;
            }
            Thread current = Thread.currentThread();
            ClassLoader before = current.getContextClassLoader();
            try {
                current.setContextClassLoader(policy.loader());
                discard.discard(made);
            } catch (Throwable failure) {
                LOG.warn(
                        "bundle {}: the unused result of {} could not be closed: {}",
                        policy.bundle(),
                        what,
                        ThrowableText.of(failure));
            } finally {
                current.setContextClassLoader(before);
            }
        }

        @Override
        public synchronized void enter(PolicyCall call) {
            if (!over && call != phase) {
                long now = clock.nanos();
                meter.took(phase, now - phaseNanos);
                phase = call;
                phaseNanos = now;
            }
        }

        @Override
        public long remainingMillis() {
            long millis;
            synchronized (this) {
                millis = (clock.nanos() - begunNanos) / 1_000_000;
            }
            if (millis <= deadlineMillis) {
                return deadlineMillis - millis;
            }
            // In development, another deadline follows each one: a search goes on after a breakpoint, and still ends.
            return deadline.isSuspended() ? deadlineMillis - millis % (deadlineMillis + 1) : 0;
        }

        /** Only a configuration can be refused: anywhere else the exception is a failure. */
        private Optional<FailureKind> failure(CallOutcome<T> outcome) {
            if (outcome instanceof CallOutcome.Returned) {
                return Optional.empty();
            }
            return Optional.of(
                    outcome instanceof CallOutcome.Refused && phase == PolicyCall.CREATE
                            ? FailureKind.REFUSED
                            : FailureKind.THREW);
        }

        private CallOutcome<T> guarded() {
            try {
                return called();
            } catch (Throwable hostile) {
                return new CallOutcome.Failed<>(what + " left behind " + ThrowableText.of(hostile), false);
            }
        }

        private CallOutcome<T> called() throws Exception {
            Thread current = Thread.currentThread();
            ClassLoader before = current.getContextClassLoader();
            ProcessWatch.Visit entered = process.enter(policy.bundle(), policy.loader());
            synchronized (this) {
                visit = Optional.of(entered);
            }
            try {
                current.setContextClassLoader(policy.loader());
                T value = Objects.requireNonNull(body).call(this);
                String changed = process.leave(entered);
                if (!changed.isEmpty()) {
                    discard(value);
                    return new CallOutcome.Failed<>(
                            what + " changed " + changed + " of the process, which was restored", false);
                }
                return new CallOutcome.Returned<>(value);
            } catch (InvalidConfigurationException refused) {
                return new CallOutcome.Refused<>(PlainText.cut(String.valueOf(refused.getMessage())));
            } catch (Throwable failure) {
                logInDevelopment(failure);
                return new CallOutcome.Failed<>(what + " threw " + ThrowableText.of(failure), false);
            } finally {
                process.leave(entered);
                current.setContextClassLoader(before);
            }
        }

        /** @param first whether the call may get a second deadline */
        private void expectEnd(boolean first) {
            expectedSinceNanos = clock.nanos();
            expiry = Optional.of(timers.schedule(deadlineMillis, () -> expire(first)));
        }

        /** @param first whether the call may get a second deadline */
        private void expire(boolean first) {
            if (deadline.isSuspended()) {
                goOn(first);
                return;
            }
            StackTraceElement[] stack;
            synchronized (this) {
                if (over) {
                    return;
                }
                long lateMillis = (clock.nanos() - expectedSinceNanos) / 1_000_000 - deadlineMillis;
                if (first && lateMillis > deadlineMillis / MAX_LATE_PART) {
                    // The timer is late, too: the whole process was paused, which proves nothing about the call.
                    expectEnd(false);
                    return;
                }
                over = true;
                meter.took(phase, clock.nanos() - phaseNanos);
                meter.failed(phase, FailureKind.HUNG);
                meter.ended();
                meter.abandoned();
                Thread caller = Objects.requireNonNull(thread);
                stack = caller.getStackTrace();
                // Under the lock, so that the interrupt cannot hit the next call on this thread.
                caller.interrupt();
                visit.ifPresent(process::givenUp);
            }
            abandon(lane);
            LOG.warn(
                    "bundle {}: {} did not return within {} ms and is given up; it hangs{}",
                    policy.bundle(),
                    what,
                    deadlineMillis,
                    ThrowableText.frames(stack));
            result.complete(new CallOutcome.Failed<>(what + " did not return within " + deadlineMillis + " ms", true));
        }

        private void logInDevelopment(Throwable failure) {
            if (deadline.isSuspended()) {
                limit.line(policy.bundle())
                        .ifPresent(more -> LOG.warn(
                                "bundle {}, in development{}: {} threw {}",
                                policy.bundle(),
                                more,
                                what,
                                ThrowableText.withStack(failure)));
            }
        }

        /** A call that is not given up is logged after 1, 2, 4, 8 deadlines and so on. */
        private void goOn(boolean first) {
            StackTraceElement[] stack;
            synchronized (this) {
                if (over) {
                    return;
                }
                expectEnd(first);
                suspensions++;
                if (Integer.bitCount(suspensions) != 1) {
                    return;
                }
                stack = Objects.requireNonNull(thread).getStackTrace();
            }
            limit.line(policy.bundle())
                    .ifPresent(more -> LOG.warn(
                            "bundle {}, in development{}: {} has been running for {} ms and is not given up{}",
                            policy.bundle(),
                            more,
                            what,
                            (clock.nanos() - begunNanos) / 1_000_000,
                            ThrowableText.frames(stack)));
        }
    }
}

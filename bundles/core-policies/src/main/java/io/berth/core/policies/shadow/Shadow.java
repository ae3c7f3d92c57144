package io.berth.core.policies.shadow;

import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.core.api.operations.ShadowOperations.ShadowedDecision;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.frame.DecisionObserver;
import io.berth.core.policies.frame.RecordedDecision;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.shadow.ShadowRecord.State;
import io.berth.spi.PolicyKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One policy that shadows decisions. Deciders only put frames into its queue; when that is full, it skips frames.
 * Everything else happens on its lane, one decision at a time. After several decisions in a row in which it fails, it
 * stops.
 *
 * @param <F> what is recorded of a decision
 */
abstract class Shadow<F extends RecordedDecision> implements DecisionObserver {

    private static final Logger LOG = LoggerFactory.getLogger(Shadow.class);

    static final int MAX_WAITING = 32;
    static final int MAX_FAILED = 3;

    /**
     * Which shadow, and who began it.
     *
     * @param pool empty for a kind that decides for jobs
     */
    record Begun(String pool, PolicyKind kind, String name, String by, long wallMillis) {

        /** What it shadows, for people. */
        String scope() {
            return pool.isEmpty() ? "all jobs" : "pool " + pool;
        }
    }

    private final Begun begun;
    private final ShadowRecord record;
    private final MainThread lane;
    private final ShadowedPolicies policies;
    private final Deque<F> frames = new ArrayDeque<>();
    /** Frames in the queue, the one that is decided included. */
    private final AtomicInteger waiting = new AtomicInteger();
    /** It missed a frame, or has seen none yet. */
    private volatile boolean behind = true;

    private volatile boolean absent;
    private volatile boolean stopped;

    private Optional<F> deciding = Optional.empty();
    /** The policies may have changed. */
    private boolean outdated = true;

    private int failedInARow;

    Shadow(Begun begun, MainThread lane, ShadowedPolicies policies) {
        this.begun = begun;
        this.record = new ShadowRecord(begun);
        this.lane = lane;
        this.policies = policies;
    }

    final Begun begun() {
        return begun;
    }

    /** Whether it can use the frame. On the lane. */
    abstract boolean accepts(F frame);

    /** Decides in place of the policy; never fails. On the lane, one after another. */
    abstract CompletionStage<ShadowResult> decide(F frame);

    /** The decision has ended. On the lane. */
    void ended(F frame) {}

    /** Closes all instances. On the lane, while it does not decide. */
    abstract void reset();

    /** It missed a frame, or has seen none yet, and decides none now. */
    final boolean isIdleAndBehind() {
        return behind && waiting.get() == 0;
    }

    final boolean isActive() {
        return !stopped && !absent;
    }

    /**
     * A decision was made. On the main thread of the decider.
     *
     * @param complete whether the frame can be used without those before it
     */
    final void offer(F frame, boolean complete) {
        if (stopped) {
            return;
        }
        if (absent || behind && !complete || waiting.get() >= MAX_WAITING) {
            behind = true;
            record.skipped();
            return;
        }
        behind = false;
        waiting.incrementAndGet();
        lane.execute(() -> {
            frames.add(frame);
            next();
        });
    }

    /** Drops the frames that wait, and says what is decided now. On the lane. */
    final Optional<F> forget(Predicate<F> gone) {
        int before = frames.size();
        frames.removeIf(gone);
        waiting.addAndGet(frames.size() - before);
        return deciding;
    }

    /** Policies were added, removed or configured. On any thread. */
    final void policiesChanged() {
        lane.execute(() -> {
            outdated = true;
            if (policies.anyRemoved()) {
                startAgain();
            }
            if (absent) {
                absent = find().isEmpty();
            }
        });
    }

    private Optional<PolicyCandidate> find() {
        outdated = false;
        Optional<PolicyCandidate> found = stopped ? Optional.empty() : policies.find();
        record.policy(found);
        return found;
    }

    /** Closes its instances; the next frame must be complete. */
    private void startAgain() {
        behind = true;
        if (deciding.isEmpty()) {
            reset();
            policies.letAllGo();
            outdated = true;
        }
    }

    private void next() {
        while (deciding.isEmpty() && !frames.isEmpty()) {
            F frame = frames.remove();
            if (stopped) {
                waiting.decrementAndGet();
            } else if (isReady() && accepts(frame)) {
                deciding = Optional.of(frame);
                policies.begin();
                decide(frame).whenComplete((result, never) -> lane.execute(() -> ended(frame, result)));
            } else {
                skip();
            }
        }
    }

    private void skip() {
        behind = true;
        record.skipped();
        waiting.decrementAndGet();
    }

    private boolean isReady() {
        if (outdated) {
            if (policies.anyRemoved()) {
                startAgain();
            }
            absent = find().isEmpty();
        }
        return !absent;
    }

    private void ended(F frame, ShadowResult result) {
        deciding = Optional.empty();
        waiting.decrementAndGet();
        ended(frame);
        switch (result.verdict()) {
            case COMPARED -> {
                failedInARow = 0;
                record.compared(frame.decision(), result);
            }
            case FAILED -> fail(frame, result);
            case NOTHING -> {}
        }
        if (stopped) {
            close();
            return;
        }
        if (policies.anyRemoved()) {
            startAgain();
        } else {
            policies.end();
        }
        next();
    }

    private void fail(F frame, ShadowResult result) {
        record.failed(frame.decision(), result);
        if (++failedInARow >= MAX_FAILED) {
            String last = result.differences().get(0);
            LOG.warn(
                    "{} {} as shadow of {} failed in {} decisions in a row and stops: {}",
                    begun.kind().label(),
                    begun.name(),
                    begun.scope(),
                    failedInARow,
                    last);
            record.stopped("it failed in " + failedInARow + " decisions in a row, the last time: " + last);
            stop();
        }
    }

    private void stop() {
        stopped = true;
        frames.clear();
        if (deciding.isEmpty()) {
            close();
        }
    }

    private void close() {
        reset();
        policies.letAllGo();
    }

    /** Ends it. A decision that is being made ends first, at the latest by the deadlines of its calls. */
    final void end() {
        stopped = true;
        lane.execute(this::stop);
    }

    final Optional<ShadowedDecision> of(long decision) {
        return record.of(decision);
    }

    final ShadowDetails details() {
        return record.details(
                absent ? State.ABSENT : record.isEmpty() ? State.WAITS : behind ? State.BEHIND : State.FOLLOWS);
    }
}

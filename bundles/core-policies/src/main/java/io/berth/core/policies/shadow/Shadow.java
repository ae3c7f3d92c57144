package io.berth.core.policies.shadow;

import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.core.api.operations.ShadowOperations.ShadowFigures;
import io.berth.core.api.operations.ShadowOperations.ShadowedDecision;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.detached.DetachedDecision;
import io.berth.core.policies.detached.DetachedPlanner;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.DecisionObserver;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One policy that shadows the decisions of one pool. The planner only puts frames into its queue; when that is full, it
 * skips frames and starts again from the state of a later one. Everything else happens on its lane. After several
 * decisions in a row in which it fails, it stops.
 */
final class Shadow implements DecisionObserver {

    private static final Logger LOG = LoggerFactory.getLogger(Shadow.class);

    static final int MAX_WAITING = 32;
    static final int MAX_FAILED = 3;
    private static final int MAX_KEPT = 1_000;

    /** Which shadow, and who began it. */
    record Begun(String pool, PolicyKind kind, String name, String by, long wallMillis) {}

    private final Begun begun;
    private final MainThread lane;
    private final ShadowedPolicies policies;
    private final DetachedPlanner planner;
    private final Deque<DecisionFrame> frames = new ArrayDeque<>();
    /** Frames in the queue, the one that is decided included. */
    private final AtomicInteger waiting = new AtomicInteger();

    private final AtomicLong skipped = new AtomicLong();
    /** It needs the state before the next frame. */
    private volatile boolean behind = true;

    private volatile boolean absent;
    private volatile boolean stopped;
    private volatile boolean usesSlots;

    private boolean deciding;
    /** The policies may have changed. */
    private boolean outdated = true;

    private int failedInARow;

    // What is shown. Guarded by this.
    private Optional<PolicyCandidate> policy = Optional.empty();
    private String stopCause = "";
    private long agreed;
    private long differed;
    private long failed;
    private long lastDifferent;
    private ShadowFigures decidedSum = ShadowFigures.NONE;
    private ShadowFigures shadowedSum = ShadowFigures.NONE;
    private final SortedMap<Long, ShadowedDecision> kept = new TreeMap<>();

    /** @param measuring the clock by which its decisions are measured */
    Shadow(Begun begun, MainThread lane, ShadowedPolicies policies, Clock measuring) {
        this.begun = begun;
        this.lane = lane;
        this.policies = policies;
        this.planner = new DetachedPlanner(begun.pool(), policies, policies, measuring, lane);
    }

    Begun begun() {
        return begun;
    }

    @Override
    public boolean needsState(String pool) {
        return behind && concerns(pool) && waiting.get() == 0;
    }

    @Override
    public boolean usesSlots(String pool) {
        return usesSlots && concerns(pool);
    }

    private boolean concerns(String pool) {
        return !stopped && !absent && pool.equals(begun.pool());
    }

    /** On the main thread of the planner. */
    @Override
    public void decided(DecisionFrame frame) {
        if (!frame.pool().equals(begun.pool()) || stopped) {
            return;
        }
        if (absent || behind && frame.before().isEmpty() || waiting.get() >= MAX_WAITING) {
            behind = true;
            skipped.incrementAndGet();
            return;
        }
        behind = false;
        waiting.incrementAndGet();
        lane.execute(() -> {
            frames.add(frame);
            next();
        });
    }

    /** Policies were added, removed or configured. On any thread. */
    void policiesChanged() {
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
        synchronized (this) {
            policy = found;
        }
        return found;
    }

    /** Closes its instances; the next frame must contain the state. */
    private void startAgain() {
        behind = true;
        if (!deciding) {
            planner.reset();
            policies.letAllGo();
            outdated = true;
        }
    }

    private void next() {
        while (!deciding && !frames.isEmpty()) {
            DecisionFrame frame = frames.remove();
            if (stopped) {
                waiting.decrementAndGet();
            } else if (isReady() && planner.accepts(frame)) {
                deciding = true;
                policies.begin();
                planner.decide(frame).whenComplete((made, never) -> lane.execute(() -> ended(frame, made)));
            } else {
                skip();
            }
        }
    }

    private void skip() {
        behind = true;
        skipped.incrementAndGet();
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

    private void ended(DecisionFrame frame, DetachedDecision made) {
        deciding = false;
        waiting.decrementAndGet();
        usesSlots = planner.usesSlots();
        if (!made.failures().isEmpty()) {
            fail(frame, made);
        } else if (frame.result().outcome() instanceof Planned decided && made.outcome() instanceof Planned shadowed) {
            failedInARow = 0;
            compare(frame, decided, shadowed, made.micros());
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

    private void compare(DecisionFrame frame, Planned decided, Planned shadowed, long micros) {
        Comparison comparison = new Comparison(decided, shadowed);
        if (comparison.isEmpty()) {
            return;
        }
        boolean same = comparison.agrees();
        ShadowedDecision one = new ShadowedDecision(
                begun.pool(),
                begun.kind(),
                begun.name(),
                same ? "agrees" : "differs",
                Comparison.figures(decided, frame.result().micros()),
                Comparison.figures(shadowed, micros),
                same ? List.of() : comparison.lines(planner));
        synchronized (this) {
            if (same) {
                agreed++;
            } else {
                differed++;
                lastDifferent = Math.max(lastDifferent, decided.decision());
            }
            decidedSum = decidedSum.plus(one.decided());
            shadowedSum = shadowedSum.plus(one.shadowed());
            keep(decided.decision(), one);
        }
    }

    private void fail(DecisionFrame frame, DetachedDecision made) {
        synchronized (this) {
            failed++;
            ShadowFigures decided = frame.result().outcome() instanceof Planned planned
                    ? Comparison.figures(planned, frame.result().micros())
                    : ShadowFigures.NONE;
            keep(
                    frame.decision(),
                    new ShadowedDecision(
                            begun.pool(),
                            begun.kind(),
                            begun.name(),
                            "failed",
                            decided,
                            new ShadowFigures(0, 0, 0, 0, made.micros()),
                            made.failures()));
        }
        if (++failedInARow >= MAX_FAILED) {
            String last = made.failures().get(0);
            LOG.warn(
                    "{} {} as shadow of pool {} failed in {} decisions in a row and stops: {}",
                    begun.kind().label(),
                    begun.name(),
                    begun.pool(),
                    failedInARow,
                    last);
            synchronized (this) {
                stopCause = "it failed in " + failedInARow + " decisions in a row, the last time: " + last
                        + "; 'policy shadow " + begun.kind().label() + " " + begun.name() + "' starts it again";
            }
            stop();
        }
    }

    private void keep(long decision, ShadowedDecision one) {
        if (decision == 0) {
            return;
        }
        kept.put(decision, one);
        if (kept.size() > MAX_KEPT) {
            kept.remove(kept.firstKey());
        }
    }

    private void stop() {
        stopped = true;
        frames.clear();
        if (!deciding) {
            close();
        }
    }

    private void close() {
        planner.close();
        policies.letAllGo();
    }

    /** Ends it. A decision that is being made ends first, at the latest by the deadlines of its calls. */
    void end() {
        stopped = true;
        lane.execute(this::stop);
    }

    synchronized Optional<ShadowedDecision> of(long decision) {
        return Optional.ofNullable(kept.get(decision));
    }

    synchronized ShadowDetails details() {
        String state = !stopCause.isEmpty()
                ? "stopped"
                : absent ? "is absent" : agreed + differed + failed == 0 ? "waits" : behind ? "is behind" : "follows";
        return new ShadowDetails(
                begun.pool(),
                begun.kind(),
                begun.name(),
                policy.map(there -> there.registration().bundle()).orElse(""),
                policy.map(there -> there.registration().version()).orElse(""),
                state,
                absent && stopCause.isEmpty()
                        ? "it is not installed or cannot be used: 'policy diag "
                                + begun.kind().label() + "' says why"
                        : stopCause,
                begun.by(),
                begun.wallMillis(),
                agreed + differed,
                agreed,
                differed,
                failed,
                skipped.get(),
                lastDifferent,
                decidedSum,
                shadowedSum);
    }
}

package io.berth.core.policies.meters;

import io.berth.core.api.operations.PolicyMetrics.FailureCount;
import io.berth.core.api.operations.PolicyMetrics.FailureKind;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.operations.PolicyMetrics.PolicyFigures;
import io.berth.core.api.operations.PolicyMetrics.ReleaseCause;
import io.berth.core.api.operations.PolicyMetrics.Times;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts and measures the calls into one policy. Thread-safe. Allocates only for the first call of a name, which makes
 * its histogram.
 */
public final class PolicyMeter {

    private static final PolicyCall[] CALLS = PolicyCall.values();
    private static final FailureKind[] FAILURES = FailureKind.values();
    private static final ReleaseCause[] CAUSES = ReleaseCause.values();

    private final PolicyKind kind;
    private final String name;
    private final AtomicReferenceArray<TimeHistogram> calls = new AtomicReferenceArray<>(CALLS.length);
    private final TimeHistogram queued = new TimeHistogram();
    private final AtomicLongArray failures = new AtomicLongArray(CALLS.length * FAILURES.length);
    private final AtomicLongArray releases = new AtomicLongArray(CAUSES.length);
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger abandoned = new AtomicInteger();
    private final LongAdder decisions = new LongAdder();
    private final LongAdder quarantines = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private final AtomicInteger registered = new AtomicInteger();

    PolicyMeter(PolicyKind kind, String name) {
        this.kind = kind;
        this.name = name;
    }

    PolicyKind kind() {
        return kind;
    }

    String name() {
        return name;
    }

    void registered() {
        registered.incrementAndGet();
    }

    void unregistered() {
        registered.decrementAndGet();
    }

    /** Whether nothing can be counted here unless the policy is registered again. */
    boolean idle() {
        return registered.get() == 0 && inFlight.get() == 0 && abandoned.get() == 0;
    }

    /** A call was requested. */
    public void asked() {
        inFlight.incrementAndGet();
    }

    /** A requested call ended, was given up, or is not made. */
    public void ended() {
        inFlight.decrementAndGet();
    }

    public void waited(long nanos) {
        queued.record(nanos);
    }

    public void took(PolicyCall call, long nanos) {
        histogram(call).record(nanos);
    }

    private TimeHistogram histogram(PolicyCall call) {
        TimeHistogram there = calls.get(call.ordinal());
        if (there != null) {
            return there;
        }
        calls.compareAndSet(call.ordinal(), null, new TimeHistogram());
        return calls.get(call.ordinal());
    }

    public void failed(PolicyCall call, FailureKind failure) {
        failures.getAndIncrement(call.ordinal() * FAILURES.length + failure.ordinal());
    }

    public void abandoned() {
        abandoned.incrementAndGet();
    }

    public void returned() {
        abandoned.decrementAndGet();
    }

    public void decided() {
        decisions.increment();
    }

    public void quarantined() {
        quarantines.increment();
    }

    public void released(ReleaseCause cause) {
        releases.getAndIncrement(cause.ordinal());
    }

    public void refusedConfiguration() {
        refusals.increment();
    }

    /** Adds the counts of another meter, without its current calls. */
    void absorb(PolicyMeter other) {
        for (PolicyCall call : CALLS) {
            TimeHistogram theirs = other.calls.get(call.ordinal());
            if (theirs != null) {
                histogram(call).add(theirs);
            }
        }
        queued.add(other.queued);
        for (int index = 0; index < failures.length(); index++) {
            failures.getAndAdd(index, other.failures.get(index));
        }
        for (int index = 0; index < releases.length(); index++) {
            releases.getAndAdd(index, other.releases.get(index));
        }
        decisions.add(other.decisions.sum());
        quarantines.add(other.quarantines.sum());
        refusals.add(other.refusals.sum());
    }

    PolicyFigures figures() {
        TimeHistogram all = new TimeHistogram();
        SortedMap<PolicyCall, Times> byName = new TreeMap<>();
        List<FailureCount> failed = new ArrayList<>();
        for (PolicyCall call : CALLS) {
            TimeHistogram histogram = calls.get(call.ordinal());
            if (histogram != null) {
                all.add(histogram);
                byName.put(call, histogram.times());
            }
            for (FailureKind failure : FAILURES) {
                long count = failures.get(call.ordinal() * FAILURES.length + failure.ordinal());
                if (count > 0) {
                    failed.add(new FailureCount(call, failure, count));
                }
            }
        }
        SortedMap<ReleaseCause, Long> released = new TreeMap<>();
        for (ReleaseCause cause : CAUSES) {
            released.put(cause, releases.get(cause.ordinal()));
        }
        return new PolicyFigures(
                kind,
                name,
                registered.get(),
                inFlight.get(),
                abandoned.get(),
                decisions.sum(),
                all.times(),
                byName,
                queued.times(),
                failed,
                quarantines.sum(),
                released,
                refusals.sum());
    }
}

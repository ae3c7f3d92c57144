package io.berth.ops.metrics;

import io.berth.core.api.operations.PolicyMetrics.Times;

/** Times of the calls of one name for an attribute of an MBean, in microseconds. Immutable. */
public final class CallTimes {

    private final String call;
    private final Times times;

    CallTimes(String call, Times times) {
        this.call = call;
        this.times = times;
    }

    public String getCall() {
        return call;
    }

    public long getCount() {
        return times.count();
    }

    public double getP50Micros() {
        return times.p50Nanos() / 1e3;
    }

    public double getP90Micros() {
        return times.p90Nanos() / 1e3;
    }

    public double getP99Micros() {
        return times.p99Nanos() / 1e3;
    }

    public double getP999Micros() {
        return times.p999Nanos() / 1e3;
    }

    public double getMaxMicros() {
        return times.maxNanos() / 1e3;
    }
}

package io.berth.ops.metrics;

import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyMetrics.SwapCount;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the figures of the host at each access to an attribute. Thread-safe. */
final class PolicyHostBean implements PolicyHostMXBean {

    private final PolicyMetrics metrics;

    PolicyHostBean(PolicyMetrics metrics) {
        this.metrics = metrics;
    }

    private static <V> Map<String, V> labeled(SortedMap<PolicyKind, V> values) {
        Map<String, V> labeled = new TreeMap<>();
        values.forEach((kind, value) -> labeled.put(kind.label(), value));
        return labeled;
    }

    @Override
    public Map<String, Integer> getLeases() {
        return labeled(metrics.host().leases());
    }

    @Override
    public int getGenerations() {
        return metrics.host().generations();
    }

    @Override
    public int getThreadsAbandoned() {
        return metrics.host().abandoned();
    }

    @Override
    public long getDecisions() {
        return metrics.host().decisions().stream()
                .mapToLong(one -> one.times().count())
                .sum();
    }

    @Override
    public List<CallTimes> getDecisionTimes() {
        return metrics.host().decisions().stream()
                .map(one -> new CallTimes((one.type().label() + " " + one.pool()).strip(), one.times()))
                .toList();
    }

    @Override
    public long getSwaps() {
        return metrics.host().swaps().stream().mapToLong(SwapCount::count).sum();
    }

    @Override
    public Map<String, Long> getSwapsByCause() {
        Map<String, Long> counts = new TreeMap<>();
        metrics.host().swaps().forEach(swap -> counts.put(swap.kind().label() + " " + swap.cause(), swap.count()));
        return counts;
    }

    @Override
    public Map<String, Long> getRoundsRedone() {
        return labeled(metrics.host().redone());
    }

    @Override
    public Map<String, Long> getFallbacks() {
        return labeled(metrics.host().fallbacks());
    }

    @Override
    public int getPolicies() {
        return (int) metrics.policyFigures().stream()
                .filter(figures -> figures.registered() > 0)
                .count();
    }
}

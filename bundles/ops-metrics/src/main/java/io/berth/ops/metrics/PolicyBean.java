package io.berth.ops.metrics;

import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyMetrics.FailureKind;
import io.berth.core.api.operations.PolicyMetrics.PolicyFigures;
import io.berth.core.api.operations.PolicyMetrics.Times;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Reads the figures of one policy at each access to an attribute. Thread-safe. */
final class PolicyBean implements PolicyMXBean {

    private final PolicyKind kind;
    private final String name;
    private final PolicyMetrics metrics;
    private final Supplier<List<PolicyDetails>> registered;

    PolicyBean(PolicyKind kind, String name, PolicyMetrics metrics, Supplier<List<PolicyDetails>> registered) {
        this.kind = kind;
        this.name = name;
        this.metrics = metrics;
        this.registered = registered;
    }

    private PolicyFigures figures() {
        return metrics.policyFigures(kind, name)
                .orElseThrow(() -> new IllegalStateException(kind.label() + " policy " + name + " has gone"));
    }

    /** The deciding one, or else the one with the highest ranking. */
    private Optional<PolicyDetails> details() {
        List<PolicyDetails> named = registered.get().stream()
                .filter(policy -> policy.kind() == kind && policy.name().equals(name))
                .toList();
        return named.stream()
                .filter(policy -> policy.state().startsWith("deciding"))
                .findFirst()
                .or(() -> named.stream().findFirst());
    }

    @Override
    public String getKind() {
        return kind.label();
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getBundle() {
        return details().map(PolicyDetails::bundle).orElse("");
    }

    @Override
    public String getVersion() {
        return details().map(PolicyDetails::version).orElse("");
    }

    @Override
    public String getState() {
        return details().map(PolicyDetails::state).orElse("not registered");
    }

    @Override
    public long getGeneration() {
        return details().map(PolicyDetails::generation).orElse(0L);
    }

    @Override
    public int getRegistered() {
        return figures().registered();
    }

    @Override
    public int getCallsInFlight() {
        return figures().inFlight();
    }

    @Override
    public int getCallsAbandoned() {
        return figures().abandoned();
    }

    @Override
    public long getCalls() {
        return figures().all().count();
    }

    @Override
    public long getDecisions() {
        return figures().decisions();
    }

    @Override
    public long getFailures() {
        return getFailuresByKind().values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public Map<String, Long> getFailuresByKind() {
        PolicyFigures figures = figures();
        Map<String, Long> counts = new TreeMap<>();
        for (FailureKind failure : FailureKind.values()) {
            counts.put(failure.label(), figures.failures(failure));
        }
        return counts;
    }

    @Override
    public long getQuarantines() {
        return figures().quarantines();
    }

    @Override
    public Map<String, Long> getReleasesByCause() {
        Map<String, Long> counts = new TreeMap<>();
        figures().releases().forEach((cause, count) -> counts.put(cause.label(), count));
        return counts;
    }

    @Override
    public long getConfigurationsRefused() {
        return figures().configurationsRefused();
    }

    @Override
    public CallTimes getTimes() {
        return new CallTimes("all", figures().all());
    }

    @Override
    public CallTimes getQueueTimes() {
        Times queued = figures().queued();
        return new CallTimes("queue", queued);
    }

    @Override
    public List<CallTimes> getTimesByCall() {
        return figures().calls().entrySet().stream()
                .map(entry -> new CallTimes(entry.getKey().label(), entry.getValue()))
                .toList();
    }
}

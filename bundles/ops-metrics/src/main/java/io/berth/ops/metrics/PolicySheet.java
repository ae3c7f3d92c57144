package io.berth.ops.metrics;

import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyMetrics.FailureCount;
import io.berth.core.api.operations.PolicyMetrics.HostFigures;
import io.berth.core.api.operations.PolicyMetrics.PolicyFigures;
import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.core.api.operations.ShadowOperations.ShadowFigures;
import io.berth.spi.PolicyKind;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Writes the figures of the policy host into a sheet. Thread-safe. */
final class PolicySheet {

    private record Named(PolicyKind kind, String name, String state) implements Comparable<Named> {

        @Override
        public int compareTo(Named other) {
            int byKind = kind.compareTo(other.kind);
            int byName = byKind == 0 ? name.compareTo(other.name) : byKind;
            return byName == 0 ? state.compareTo(other.state) : byName;
        }
    }

    private final PolicyMetrics metrics;
    private final Supplier<List<PolicyDetails>> registered;
    private final Supplier<List<ChoiceDetails>> choices;
    private final Supplier<List<ShadowDetails>> shadows;

    /**
     * @param registered the current policies
     * @param choices in force
     * @param shadows of all pools
     */
    PolicySheet(
            PolicyMetrics metrics,
            Supplier<List<PolicyDetails>> registered,
            Supplier<List<ChoiceDetails>> choices,
            Supplier<List<ShadowDetails>> shadows) {
        this.metrics = metrics;
        this.registered = registered;
        this.choices = choices;
        this.shadows = shadows;
    }

    void write(MetricFamilies sheet) {
        Set<String> own = new HashSet<>();
        for (PolicyFigures figures : metrics.policyFigures()) {
            own.add(figures.kind() + " " + figures.name());
            policy(sheet, figures);
        }
        registered(sheet, own);
        host(sheet, metrics.host());
        choices.get()
                .forEach(choice -> sheet.gauge(
                        Family.HOST_CHOICE_INDEX, choice.index(), choice.kind().label()));
        shadows.get().forEach(shadow -> shadow(sheet, shadow));
    }

    private static void shadow(MetricFamilies sheet, ShadowDetails shadow) {
        Map<String, Long> results = new TreeMap<>(Map.of(
                "agrees", shadow.agreed(),
                "differs", shadow.differed(),
                "failed", shadow.failed(),
                "skipped", shadow.skipped()));
        results.forEach((result, count) -> sheet.count(
                Family.SHADOW_DECISIONS, count, shadow.pool(), shadow.kind().label(), shadow.name(), result));
        outcomes(sheet, shadow, "decided", shadow.decided());
        outcomes(sheet, shadow, "shadow", shadow.shadowed());
    }

    private static void outcomes(MetricFamilies sheet, ShadowDetails shadow, String by, ShadowFigures figures) {
        String kind = shadow.kind().label();
        Map<String, Long> outcomes = new TreeMap<>(
                shadow.kind() == PolicyKind.SCALING
                        ? Map.of("desired", figures.desired(), "rescales", figures.rescales())
                        : Map.of(
                                "placed", figures.placed(),
                                "left", figures.left(),
                                "opened", figures.opened(),
                                "returned", figures.returned()));
        outcomes.forEach((outcome, count) ->
                sheet.count(Family.SHADOW_OUTCOMES, count, shadow.pool(), kind, shadow.name(), by, outcome));
        if (shadow.kind() != PolicyKind.SCALING) {
            sheet.count(Family.SHADOW_COST, figures.costPerHour(), shadow.pool(), kind, shadow.name(), by);
        }
    }

    private static void policy(MetricFamilies sheet, PolicyFigures figures) {
        String kind = figures.kind().label();
        String name = figures.name();
        sheet.times(Family.POLICY_TIME, figures.all(), kind, name);
        figures.calls().forEach((call, times) -> sheet.times(Family.POLICY_CALL_TIME, times, kind, name, call.label()));
        sheet.times(Family.POLICY_QUEUE_TIME, figures.queued(), kind, name);
        for (FailureCount failure : figures.failures()) {
            sheet.count(
                    Family.POLICY_FAILURES,
                    failure.count(),
                    kind,
                    name,
                    failure.call().label(),
                    failure.kind().label());
        }
        sheet.count(Family.POLICY_DECISIONS, figures.decisions(), kind, name);
        sheet.count(Family.POLICY_QUARANTINES, figures.quarantines(), kind, name);
        figures.releases()
                .forEach((cause, count) -> sheet.count(Family.POLICY_RELEASES, count, kind, name, cause.label()));
        sheet.count(Family.POLICY_CONFIGURATIONS_REFUSED, figures.configurationsRefused(), kind, name);
        sheet.gauge(Family.POLICY_CALLS_IN_FLIGHT, figures.inFlight(), kind, name);
        sheet.gauge(Family.POLICY_CALLS_ABANDONED, figures.abandoned(), kind, name);
    }

    /**
     * Counts by name where the host has figures of that name, and the rest together, so the number of names is
     * bounded.
     */
    private void registered(MetricFamilies sheet, Set<String> own) {
        Map<Named, Integer> counts = new TreeMap<>();
        for (PolicyDetails policy : registered.get()) {
            String name = own.contains(policy.kind() + " " + policy.name()) ? policy.name() : PolicyMetrics.OTHER;
            counts.merge(new Named(policy.kind(), name, state(policy.verdict())), 1, Integer::sum);
        }
        counts.forEach((named, count) ->
                sheet.gauge(Family.POLICY_REGISTERED, count, named.kind().label(), named.name(), named.state()));
    }

    /** The states that docs/metrics.md lists. */
    static String state(PolicyVerdict verdict) {
        return switch (verdict) {
            case DECIDING -> "deciding";
            case READY, OUTRANKED, FILTERED_OUT -> "ready";
            case QUARANTINED -> "quarantined";
            case CONFIGURATION_REFUSED -> "refused";
            case CANNOT_BE_USED, NOT_RESOLVED, NOT_STARTED, NOT_REGISTERED -> "unusable";
            case BEING_CHECKED -> "checking";
        };
    }

    private static void host(MetricFamilies sheet, HostFigures host) {
        host.decisions()
                .forEach(decisions -> sheet.times(
                        Family.HOST_DECISION_TIME,
                        decisions.times(),
                        decisions.type().label(),
                        decisions.pool()));
        host.swaps()
                .forEach(swaps -> sheet.count(
                        Family.HOST_SWAPS,
                        swaps.count(),
                        swaps.kind().label(),
                        swaps.cause().label()));
        host.redone().forEach((kind, count) -> sheet.count(Family.HOST_REDONE, count, kind.label()));
        host.fallbacks().forEach((kind, count) -> sheet.count(Family.HOST_FALLBACKS, count, kind.label()));
        host.leases().forEach((kind, count) -> sheet.gauge(Family.HOST_LEASES, count, kind.label()));
        sheet.gauge(Family.HOST_GENERATIONS, host.generations());
        sheet.gauge(Family.HOST_ABANDONED, host.abandoned());
    }
}

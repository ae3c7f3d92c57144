package io.berth.ops.metrics;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.core.api.operations.ShadowOperations.ShadowFigures;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A policy host that returns the figures that a test sets. */
final class FakeHost implements PolicyMetrics {

    static final Times TIMES = new Times(10, 55_000_000, 5_000_000, 9_000_000, 9_900_000, 9_990_000, 10_000_000);

    final List<PolicyFigures> figures = new CopyOnWriteArrayList<>();
    final List<PolicyDetails> details = new CopyOnWriteArrayList<>();
    final List<Runnable> followers = new ArrayList<>();

    static List<ShadowDetails> shadows() {
        return List.of(new ShadowDetails(
                "default",
                PolicyKind.MATCHING,
                "spread",
                "b",
                "1",
                "follows",
                "",
                "test",
                1,
                7,
                5,
                2,
                1,
                3,
                9,
                ShadowFigures.NONE,
                ShadowFigures.NONE));
    }

    void add(PolicyKind kind, String name, int registered) {
        SortedMap<ReleaseCause, Long> releases = new TreeMap<>(
                Map.of(ReleaseCause.OPERATOR, 1L, ReleaseCause.CONFIGURATION, 0L, ReleaseCause.REGISTRATION, 2L));
        figures.add(new PolicyFigures(
                kind,
                name,
                registered,
                1,
                2,
                33,
                TIMES,
                new TreeMap<>(Map.of(PolicyCall.PLACE, TIMES, PolicyCall.CREATE, TIMES)),
                TIMES,
                List.of(
                        new FailureCount(PolicyCall.PLACE, FailureKind.THREW, 4),
                        new FailureCount(PolicyCall.CREATE, FailureKind.THREW, 1),
                        new FailureCount(PolicyCall.PLACE, FailureKind.NOT_TRIED, 2)),
                3,
                releases,
                5));
        for (int nth = 0; nth < registered; nth++) {
            details.add(new PolicyDetails(
                    kind,
                    name,
                    "",
                    "test." + name,
                    "1.0." + nth,
                    0,
                    nth == 0 ? PolicyVerdict.DECIDING : PolicyVerdict.READY,
                    nth == 0 ? "deciding" : "ready",
                    7,
                    33,
                    5));
        }
    }

    List<ChoiceDetails> choices() {
        return List.of(new ChoiceDetails(PolicyKind.MATCHING, "first-fit", 6, "a test", 0, ""));
    }

    void notifyFollowers() {
        List.copyOf(followers).forEach(Runnable::run);
    }

    @Override
    public HostFigures host() {
        SortedMap<PolicyKind, Integer> leases = new TreeMap<>(new EnumMap<>(Map.of(PolicyKind.MATCHING, 2)));
        SortedMap<PolicyKind, Long> counts = new TreeMap<>(new EnumMap<>(Map.of(PolicyKind.MATCHING, 8L)));
        return new HostFigures(
                leases,
                4,
                1,
                List.of(
                        new DecisionFigures("default", DecisionType.PLACEMENT, TIMES),
                        new DecisionFigures("", DecisionType.SCALING, TIMES)),
                List.of(new SwapCount(PolicyKind.MATCHING, PolicyEvent.USE, 12)),
                counts,
                counts);
    }

    @Override
    public List<PolicyFigures> policyFigures() {
        return List.copyOf(figures);
    }

    @Override
    public Optional<PolicyFigures> policyFigures(PolicyKind kind, String name) {
        return figures.stream()
                .filter(one -> one.kind() == kind && one.name().equals(name))
                .findFirst();
    }

    @Override
    public Following follow(Runnable changed) {
        followers.add(changed);
        return () -> followers.remove(changed);
    }
}

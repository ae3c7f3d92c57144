package io.berth.simulator.policies;

import io.berth.simulator.policies.ShippedPolicies.Shipped;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The policies of one kind that can be chosen: those of this release, and those of given bundles, which replace the ones
 * of their names.
 *
 * @param <F> the factory of the kind
 */
public final class PoliciesOfKind<F> {

    /** Creates an instance of a policy. */
    private interface Creator<F> {
        PolicyText.Creation of(F factory);
    }

    /** @param plural what its policies are called */
    private record Kind<F>(
            String plural, Class<F> type, Function<F, PolicyDescription> description, Creator<F> creator) {}

    private final Kind<F> kind;
    private final Map<String, ChosenPolicy<F>> all = new LinkedHashMap<>();
    /** Names of the policies of the bundles. */
    private final List<String> ofBundles = new ArrayList<>();

    private PoliciesOfKind(Kind<F> kind, List<Shipped<F>> shipped, List<PolicyJar> bundles) {
        this.kind = kind;
        shipped.forEach(policy -> add(policy.factory(), policy.bundle()));
        for (PolicyJar jar : bundles) {
            for (Object factory : jar.factories()) {
                if (kind.type().isInstance(factory)) {
                    ofBundles.add(add(kind.type().cast(factory), jar.symbolicName()));
                }
            }
        }
    }

    /** @param bundles may have none of this kind */
    public static PoliciesOfKind<MatchingStrategyFactory> matching(List<PolicyJar> bundles) {
        return new PoliciesOfKind<>(
                new Kind<>(
                        "matching strategies",
                        MatchingStrategyFactory.class,
                        MatchingStrategyFactory::describe,
                        factory -> factory::create),
                ShippedPolicies.matching(),
                bundles);
    }

    /** @param bundles may have none of this kind */
    public static PoliciesOfKind<DistributionPolicyFactory> distribution(List<PolicyJar> bundles) {
        return new PoliciesOfKind<>(
                new Kind<>(
                        "distribution policies",
                        DistributionPolicyFactory.class,
                        DistributionPolicyFactory::describe,
                        factory -> factory::create),
                ShippedPolicies.distribution(),
                bundles);
    }

    /** A matching strategy of this release. */
    public static ChosenPolicy<MatchingStrategyFactory> shippedStrategy(String name) {
        return matching(List.of()).named(name);
    }

    /** The default of this release, which is on every cluster. */
    public static ChosenPolicy<MatchingStrategyFactory> defaultMatching() {
        PoliciesOfKind<MatchingStrategyFactory> known = matching(List.of());
        return known.named(known.usual());
    }

    /** The default of this release, which is on every cluster. */
    public static ChosenPolicy<DistributionPolicyFactory> defaultDistribution() {
        PoliciesOfKind<DistributionPolicyFactory> known = distribution(List.of());
        return known.named(known.usual());
    }

    private String add(F factory, String bundle) {
        String name = kind.description().apply(factory).name();
        all.put(name, new ChosenPolicy<>(name, bundle, factory, new TreeMap<>()));
        return name;
    }

    /** The names that can be chosen. */
    public List<String> names() {
        return List.copyOf(all.keySet());
    }

    /**
     * The name that is meant when none is given: the one of the bundles; the default of the kind without bundles.
     *
     * @throws IllegalArgumentException when the bundles have several, which it names
     */
    public String usual() {
        List<String> names = ofBundles.stream().distinct().toList();
        if (names.size() > 1) {
            throw new IllegalArgumentException("option " + PolicyLists.POLICY + " is missing: the bundles have several "
                    + kind.plural() + ", " + String.join(", ", names) + "; name one");
        }
        return names.isEmpty() ? names().get(0) : names.get(0);
    }

    /**
     * A policy without parameters.
     *
     * @throws IllegalArgumentException names what can be chosen
     */
    public ChosenPolicy<F> named(String name) {
        return Optional.ofNullable(all.get(name)).orElseThrow(() -> unknown(name, ""));
    }

    /**
     * A policy with parameters.
     *
     * @param text {@code NAME[:KEY=VALUE...]}
     * @throws IllegalArgumentException says what is allowed
     */
    public ChosenPolicy<F> chosen(String text) {
        PolicyText given = PolicyText.of(text);
        ChosenPolicy<F> policy = Optional.ofNullable(all.get(given.name()))
                .orElseThrow(() -> unknown(text, ", each with :KEY=VALUE for parameters"));
        SortedMap<String, String> parameters = given.accepted(
                kind.description().apply(policy.factory()), kind.creator().of(policy.factory()));
        return new ChosenPolicy<>(policy.name(), policy.bundle(), policy.factory(), parameters);
    }

    private IllegalArgumentException unknown(String text, String more) {
        return new IllegalArgumentException("option " + PolicyLists.POLICY + " has '" + text + "': allowed "
                + kind.plural() + " are " + String.join(", ", names()) + more + "; --bundle adds those of a bundle");
    }
}

package io.berth.simulator.policies;

import io.berth.spi.distribution.DistributionPolicyFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The distribution policies of this release, and those of given bundles, which replace the ones of their names. */
public final class DistributionPolicies {

    private static final String OPTION = "--distribution";

    private final Map<String, ChosenPolicy<DistributionPolicyFactory>> all = new LinkedHashMap<>();
    /** Names of the policies of the bundles. */
    private final List<String> ofBundles = new ArrayList<>();

    /** Those of this release and of bundles, which may have none. */
    public DistributionPolicies(List<PolicyJar> bundles) {
        ShippedPolicies.distribution().forEach(shipped -> add(shipped.factory(), shipped.bundle()));
        for (PolicyJar jar : bundles) {
            for (Object factory : jar.factories()) {
                if (factory instanceof DistributionPolicyFactory distribution) {
                    ofBundles.add(add(distribution, jar.symbolicName()));
                }
            }
        }
    }

    private String add(DistributionPolicyFactory factory, String bundle) {
        String name = factory.describe().name();
        all.put(name, new ChosenPolicy<>(name, bundle, factory, new TreeMap<>()));
        return name;
    }

    /** The names that can be chosen. */
    public List<String> names() {
        return List.copyOf(all.keySet());
    }

    /**
     * The policy that is meant when none is given: the one of the bundles; fifo without bundles.
     *
     * @throws IllegalArgumentException when the bundles have several, which it names
     */
    public ChosenPolicy<DistributionPolicyFactory> usual() {
        List<String> names = ofBundles.stream().distinct().toList();
        if (names.size() > 1) {
            throw new IllegalArgumentException("option " + OPTION
                    + " is missing: the bundles have several distribution policies, " + String.join(", ", names)
                    + "; name one");
        }
        return chosen(OPTION, names.isEmpty() ? names().get(0) : names.get(0));
    }

    /**
     * A policy of this name, with parameters.
     *
     * @param option from which the text comes
     * @param text {@code NAME[:KEY=VALUE...]}
     * @throws IllegalArgumentException says what is allowed
     */
    public ChosenPolicy<DistributionPolicyFactory> chosen(String option, String text) {
        ChosenPolicy<DistributionPolicyFactory> found = all.get(ChosenPolicy.name(text));
        if (found == null) {
            throw new IllegalArgumentException(
                    "option " + option + " has '" + text + "': allowed are " + String.join(", ", names())
                            + ", each with :KEY=VALUE for parameters; --bundle adds those of a bundle");
        }
        return found.with(option, text, found.factory().describe(), found.factory()::create);
    }
}

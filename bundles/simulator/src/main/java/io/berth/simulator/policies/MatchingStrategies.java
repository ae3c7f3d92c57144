package io.berth.simulator.policies;

import io.berth.spi.matching.MatchingStrategyFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The matching strategies of this release, and those of given bundles, which replace the ones of their names. */
public final class MatchingStrategies {

    private final Map<String, NamedStrategy> all = new LinkedHashMap<>();
    /** Names of the strategies of each bundle. */
    private final List<String> ofBundles = new ArrayList<>();

    /**
     * Reads the bundles, which all have a matching strategy.
     *
     * @throws IllegalArgumentException names option, file and what is wrong with it
     */
    public MatchingStrategies(List<Path> bundles) {
        this();
        for (Path bundle : bundles) {
            PolicyJar jar = PolicyJar.read(bundle);
            for (MatchingStrategyFactory factory : jar.strategies()) {
                ofBundles.add(add(factory, jar.symbolicName()));
            }
        }
    }

    private MatchingStrategies() {
        ShippedPolicies.matching().forEach(shipped -> add(shipped.factory(), shipped.bundle()));
    }

    /** Those of this release and of bundles, which may have none. */
    public static MatchingStrategies of(List<PolicyJar> bundles) {
        MatchingStrategies strategies = new MatchingStrategies();
        for (PolicyJar jar : bundles) {
            for (Object factory : jar.factories()) {
                if (factory instanceof MatchingStrategyFactory matching) {
                    strategies.ofBundles.add(strategies.add(matching, jar.symbolicName()));
                }
            }
        }
        return strategies;
    }

    private String add(MatchingStrategyFactory factory, String bundle) {
        String name = factory.describe().name();
        all.put(name, new NamedStrategy(name, bundle, factory));
        return name;
    }

    /** The names that can be chosen. */
    public List<String> names() {
        return List.copyOf(all.keySet());
    }

    /**
     * The strategy that is meant when no name is given: the one of the bundles; first-fit without bundles.
     *
     * @throws IllegalArgumentException when the bundles have several, which it names
     */
    public String usual() {
        List<String> names = ofBundles.stream().distinct().toList();
        if (names.size() > 1) {
            throw new IllegalArgumentException(
                    "option --policy is missing: the bundles have several matching strategies, "
                            + String.join(", ", names) + "; name one");
        }
        return names.isEmpty() ? names().get(0) : names.get(0);
    }

    /** @throws IllegalArgumentException names what can be chosen */
    public NamedStrategy named(String name) {
        NamedStrategy found = all.get(name);
        if (found == null) {
            throw new IllegalArgumentException("option --policy is '" + name + "': allowed are "
                    + String.join(", ", names()) + "; --bundle adds those of a bundle");
        }
        return found;
    }

    /**
     * A strategy with parameters.
     *
     * @param option from which the text comes
     * @param text {@code NAME[:KEY=VALUE...]}
     * @throws IllegalArgumentException says what is allowed
     */
    public ChosenPolicy<MatchingStrategyFactory> chosen(String option, String text) {
        NamedStrategy found = all.get(ChosenPolicy.name(text));
        if (found == null) {
            throw new IllegalArgumentException(
                    "option " + option + " has '" + text + "': allowed are " + String.join(", ", names())
                            + ", each with :KEY=VALUE for parameters; --bundle adds those of a bundle");
        }
        return ChosenPolicy.of(found).with(option, text, found.factory().describe(), found.factory()::create);
    }

    /** A strategy of this release. */
    public static NamedStrategy shipped(String name) {
        return new MatchingStrategies(List.of()).named(name);
    }
}

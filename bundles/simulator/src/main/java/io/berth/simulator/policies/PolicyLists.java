package io.berth.simulator.policies;

import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The policies that options name: {@code --policy LIST} or {@code --policy matching=LIST}, and {@code --distribution LIST}
 * or {@code --policy distribution=LIST}. Items of a list have commas between them.
 */
public final class PolicyLists {

    public static final String POLICY = "--policy";
    public static final String DISTRIBUTION = "--distribution";

    private static final String POLICY_DISTRIBUTION = "--policy distribution";
    private static final Pattern KIND = Pattern.compile("([a-z]+)=(.*)");

    private PolicyLists() {}

    /**
     * Adds a value of {@code --policy} to the given options.
     *
     * @throws IllegalArgumentException says what is allowed
     */
    public static void add(SortedMap<String, String> given, String value) {
        String option = POLICY;
        String list = value;
        Matcher kind = KIND.matcher(value);
        if (kind.matches()) {
            list = String.valueOf(kind.group(2));
            switch (String.valueOf(kind.group(1))) {
                case "matching" -> option = POLICY;
                case "distribution" -> option = POLICY_DISTRIBUTION;
                default ->
                    throw new IllegalArgumentException("option --policy is '" + value
                            + "': allowed are LIST, matching=LIST and distribution=LIST; nothing else decides here");
            }
        }
        if (given.put(option, list) != null) {
            throw new IllegalArgumentException("option " + option + " is given twice: allowed is once");
        }
    }

    /**
     * Each strategy with each distribution policy.
     *
     * @param bundles whose policies may be named, beside those of this release
     * @throws IllegalArgumentException names option, value and what is allowed
     */
    public static List<PolicyPair> read(SortedMap<String, String> given, List<Path> bundles) {
        if (given.containsKey(DISTRIBUTION) && given.containsKey(POLICY_DISTRIBUTION)) {
            throw new IllegalArgumentException(
                    "options " + DISTRIBUTION + " and " + POLICY_DISTRIBUTION + " are given: allowed is one of them");
        }
        List<PolicyJar> jars = bundles.stream().map(PolicyJar::read).toList();
        String distribution = given.containsKey(DISTRIBUTION) ? DISTRIBUTION : POLICY_DISTRIBUTION;
        return PolicyPair.all(
                strategies(Optional.ofNullable(given.get(POLICY)), jars),
                distributions(distribution, Optional.ofNullable(given.get(distribution)), jars));
    }

    private static List<ChosenPolicy<MatchingStrategyFactory>> strategies(
            Optional<String> given, List<PolicyJar> bundles) {
        MatchingStrategies known = MatchingStrategies.of(bundles);
        return items(POLICY, given.orElseGet(known::usual)).stream()
                .map(text -> known.chosen(POLICY, text))
                .toList();
    }

    private static List<ChosenPolicy<DistributionPolicyFactory>> distributions(
            String option, Optional<String> given, List<PolicyJar> bundles) {
        DistributionPolicies known = new DistributionPolicies(bundles);
        return given.isEmpty()
                ? List.of(known.usual())
                : items(option, given.get()).stream()
                        .map(text -> known.chosen(option, text))
                        .toList();
    }

    private static List<String> items(String option, String list) {
        List<String> items = List.of(list.split(",", -1));
        if (items.stream().distinct().count() < items.size()) {
            throw new IllegalArgumentException("option " + option + " is '" + list
                    + "': allowed is a list without duplicates, with commas between its items");
        }
        return items;
    }
}

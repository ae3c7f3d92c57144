package io.berth.simulator.policies;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of option {@code --policy}: {@code KIND=LIST}, once for each kind. {@code LIST} alone means {@code
 * matching=LIST}. Items of a list have commas between them.
 */
public final class PolicyLists {

    public static final String POLICY = "--policy";

    private static final String MATCHING = "matching";
    private static final String DISTRIBUTION = "distribution";
    private static final Pattern KIND = Pattern.compile("([a-z]+)=(.*)");

    /** By kind. */
    private final SortedMap<String, String> lists = new TreeMap<>();

    /**
     * Adds a value of the option.
     *
     * @throws IllegalArgumentException says what is allowed
     */
    public void add(String value) {
        Matcher named = KIND.matcher(value);
        String kind = named.matches() ? String.valueOf(named.group(1)) : MATCHING;
        String list = named.matches() ? String.valueOf(named.group(2)) : value;
        if (!List.of(MATCHING, DISTRIBUTION).contains(kind)) {
            throw new IllegalArgumentException(
                    "option " + POLICY + " is '" + value
                            + "': allowed are matching=LIST, distribution=LIST, and LIST for matching; nothing else decides here");
        }
        if (lists.put(kind, list) != null) {
            throw new IllegalArgumentException(
                    "option " + POLICY + " is given twice for " + kind + ": allowed is one list for each kind");
        }
    }

    /**
     * Each strategy with each distribution policy.
     *
     * @param bundles whose policies may be named, beside those of this release
     * @throws IllegalArgumentException names option, value and what is allowed
     */
    public List<PolicyPair> pairs(List<Path> bundles) {
        List<PolicyJar> jars = bundles.stream().map(PolicyJar::read).toList();
        return PolicyPair.all(
                chosen(MATCHING, PoliciesOfKind.matching(jars)),
                chosen(DISTRIBUTION, PoliciesOfKind.distribution(jars)));
    }

    private <F> List<ChosenPolicy<F>> chosen(String kind, PoliciesOfKind<F> known) {
        String list = Optional.ofNullable(lists.get(kind)).orElseGet(known::usual);
        List<String> items = List.of(list.split(",", -1));
        if (items.stream().distinct().count() < items.size()) {
            throw new IllegalArgumentException("option " + POLICY + " is '" + kind + "=" + list
                    + "': allowed is a list without duplicates, with commas between its items");
        }
        return items.stream().map(known::chosen).toList();
    }
}

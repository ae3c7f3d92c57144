package io.berth.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a policy says about itself before an instance exists. For the host it is the single source of truth about the
 * configuration: the host checks a configuration against these keys before it calls {@code create}, and shows the keys
 * to tools as metatype. Immutable.
 */
public final class PolicyDescription {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}");
    private static final int MAX_KEYS = 100;

    private final String name;
    private final String summary;
    private final List<ConfigurationKey> configuration;

    /**
     * @param name the name that selects the policy, unique within its kind: lower-case letters, digits and hyphens
     * @param summary one line for people
     * @param configuration the keys that the policy understands, at most 100, without duplicates; other keys are
     *     rejected
     * @throws IllegalArgumentException when one of them is not allowed
     */
    public PolicyDescription(String name, String summary, List<ConfigurationKey> configuration) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("policy name '" + name
                    + "': allowed are 1 to 64 lower-case letters, digits and hyphens, a letter first");
        }
        this.name = name;
        this.summary = summary;
        this.configuration = List.copyOf(configuration);
        if (configuration.size() > MAX_KEYS) {
            throw new IllegalArgumentException("policy " + name + " describes " + configuration.size()
                    + " configuration keys: at most " + MAX_KEYS + " are allowed");
        }
        Set<String> seen = new TreeSet<>();
        for (ConfigurationKey key : configuration) {
            if (!seen.add(key.key())) {
                throw new IllegalArgumentException(
                        "policy " + name + " describes configuration key " + key.key() + " twice: once is allowed");
            }
        }
    }

    /** A policy that understands no configuration key. */
    public PolicyDescription(String name, String summary) {
        this(name, summary, List.of());
    }

    /** The name that selects the policy. */
    public String name() {
        return name;
    }

    /** One line for people. */
    public String summary() {
        return summary;
    }

    /** The keys that the policy understands. */
    public List<ConfigurationKey> configuration() {
        return configuration;
    }

    /** The description of a key: of exactly this one, otherwise of the first pattern that fits it. */
    public Optional<ConfigurationKey> key(String key) {
        return key(configuration, key);
    }

    /** As {@link #key(String)}, among the given descriptions. */
    public static Optional<ConfigurationKey> key(List<ConfigurationKey> keys, String key) {
        return keys.stream()
                .filter(one -> one.key().equals(key) && !one.isPattern())
                .findFirst()
                .or(() -> keys.stream().filter(one -> one.describes(key)).findFirst());
    }

    /**
     * What is wrong with a configuration: one line for each problem, with the key, the value and what is allowed.
     * Empty when the host would pass it to {@code create}.
     */
    public List<String> problems(SortedMap<String, String> given) {
        List<String> problems = new ArrayList<>();
        given.forEach((key, value) -> key(key).ifPresentOrElse(
                        known -> known.problem(key, value).ifPresent(problems::add),
                        () -> problems.add("unknown key " + ConfigurationKey.shown(key) + "; " + known())));
        for (ConfigurationKey key : configuration) {
            if (key.required() && !given.containsKey(key.key())) {
                problems.add(
                        "key " + key.key() + " is missing: " + key.allowed() + " is required (" + key.meaning() + ")");
            }
        }
        return problems;
    }

    private String known() {
        return configuration.isEmpty()
                ? "it knows none"
                : "known are "
                        + String.join(
                                ", ",
                                configuration.stream()
                                        .map(ConfigurationKey::key)
                                        .toList());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PolicyDescription that
                && name.equals(that.name)
                && summary.equals(that.summary)
                && configuration.equals(that.configuration);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name + ": " + summary + " " + configuration;
    }
}

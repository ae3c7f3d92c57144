package io.berth.testkit;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyDescription.ConfigurationKey;
import io.berth.spi.PolicyDescription.ValueType;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A configuration with fixed entries.
 *
 * @param keys the keys that the policy describes; they define how values are read
 */
public record FixedConfiguration(SortedMap<String, String> entries, List<ConfigurationKey> keys)
        implements PolicyConfiguration {

    public FixedConfiguration {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
        keys = List.copyOf(keys);
    }

    /** Without described keys. */
    public FixedConfiguration(SortedMap<String, String> entries) {
        this(entries, List.of());
    }

    /** No entries and no described keys. */
    public static FixedConfiguration empty() {
        return new FixedConfiguration(new TreeMap<>());
    }

    /** One entry, without described keys. */
    public static FixedConfiguration of(String key, String value) {
        return new FixedConfiguration(new TreeMap<>(Map.of(key, value)));
    }

    /**
     * A configuration as the host would pass it to a policy with this description.
     *
     * @throws InvalidConfigurationException when the host would reject it before it calls the policy
     */
    public static FixedConfiguration of(PolicyDescription description, Map<String, String> entries)
            throws InvalidConfigurationException {
        List<String> problems = description.problems(new TreeMap<>(entries));
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(String.join("; ", problems));
        }
        return new FixedConfiguration(new TreeMap<>(entries), description.configuration());
    }

    /** The same entries, read through the keys of a policy description. */
    public FixedConfiguration describedBy(PolicyDescription description) {
        return new FixedConfiguration(entries, description.configuration());
    }

    @Override
    public String text(String key) {
        return value(key, ValueType.TEXT, ValueType.CHOICE, ValueType.NUMBER, ValueType.FLAG);
    }

    @Override
    public long number(String key) {
        return Long.parseLong(value(key, ValueType.NUMBER));
    }

    @Override
    public boolean flag(String key) {
        return Boolean.parseBoolean(value(key, ValueType.FLAG));
    }

    private String value(String key, ValueType... types) {
        ConfigurationKey known = keys.stream()
                .filter(one -> one.key().equals(key) && List.of(types).contains(one.type()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "key " + key + " is not described as " + List.of(types) + "; described are " + keys));
        String given = entries.getOrDefault(key, known.defaultValue());
        return known.type() == ValueType.TEXT ? given : given.trim();
    }

    @Override
    public String text(String key, String defaultValue) {
        return entries.getOrDefault(key, defaultValue);
    }

    @Override
    public long number(String key, long defaultValue, long least, long most) throws InvalidConfigurationException {
        if (!entries.containsKey(key)) {
            return defaultValue;
        }
        try {
            long value = Long.parseLong(entries.get(key));
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException noNumber) {
            // Reported below.
        }
        throw new InvalidConfigurationException(
                key + " is '" + entries.get(key) + "': a whole number from " + least + " to " + most + " is allowed");
    }

    @Override
    public boolean flag(String key, boolean defaultValue) throws InvalidConfigurationException {
        String given = entries.get(key);
        if (given == null) {
            return defaultValue;
        }
        if (!given.equals("true") && !given.equals("false")) {
            throw new InvalidConfigurationException(key + " is '" + given + "': true or false is allowed");
        }
        return given.equals("true");
    }
}

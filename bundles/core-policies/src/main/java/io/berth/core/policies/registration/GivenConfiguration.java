package io.berth.core.policies.registration;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription.ConfigurationKey;
import io.berth.spi.PolicyDescription.ValueType;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The configuration of a policy, checked against the keys that the policy describes. */
public record GivenConfiguration(SortedMap<String, String> entries, List<ConfigurationKey> keys)
        implements PolicyConfiguration {

    public GivenConfiguration {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
        keys = List.copyOf(keys);
    }

    /** For a policy that describes no keys. */
    public GivenConfiguration(SortedMap<String, String> entries) {
        this(entries, List.of());
    }

    @Override
    public String text(String key) {
        ConfigurationKey known = known(key);
        String given = entries.getOrDefault(key, known.defaultValue());
        return known.type() == ValueType.TEXT ? given : given.trim();
    }

    @Override
    public long number(String key) {
        return Long.parseLong(typed(key, ValueType.NUMBER));
    }

    @Override
    public boolean flag(String key) {
        return Boolean.parseBoolean(typed(key, ValueType.FLAG));
    }

    private String typed(String key, ValueType type) {
        if (known(key).type() != type) {
            throw new IllegalArgumentException(
                    "key " + key + " is described as " + known(key).type() + " and read as " + type);
        }
        return text(key);
    }

    private ConfigurationKey known(String key) {
        return keys.stream()
                .filter(one -> one.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("key " + key + " is read and not described"));
    }

    @Override
    public String text(String key, String defaultValue) {
        return entries.getOrDefault(key, defaultValue);
    }

    @Override
    public long number(String key, long defaultValue, long least, long most) throws InvalidConfigurationException {
        String given = entries.get(key);
        if (given == null) {
            return defaultValue;
        }
        refuse(ConfigurationKey.number(key, least, least, most, ""), given);
        return Long.parseLong(given.trim());
    }

    @Override
    public boolean flag(String key, boolean defaultValue) throws InvalidConfigurationException {
        String given = entries.get(key);
        if (given == null) {
            return defaultValue;
        }
        refuse(ConfigurationKey.flag(key, defaultValue, ""), given);
        return Boolean.parseBoolean(given.trim());
    }

    private static void refuse(ConfigurationKey key, String given) throws InvalidConfigurationException {
        String problem = key.problem(given).orElse("");
        if (!problem.isEmpty()) {
            throw new InvalidConfigurationException(problem);
        }
    }
}

package io.berth.testkit;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A configuration of given entries. */
public record FixedConfiguration(SortedMap<String, String> entries) implements PolicyConfiguration {

    public FixedConfiguration {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }

    public static FixedConfiguration empty() {
        return new FixedConfiguration(new TreeMap<>());
    }

    public static FixedConfiguration of(String key, String value) {
        return new FixedConfiguration(new TreeMap<>(Map.of(key, value)));
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
            // Said below.
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

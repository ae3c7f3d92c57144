package io.berth.core.policies;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The configuration of a policy as the host hands it out. */
record GivenConfiguration(SortedMap<String, String> entries) implements PolicyConfiguration {

    GivenConfiguration {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
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
        try {
            long value = Long.parseLong(given.trim());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException noNumber) {
            // Said below, in the same words as for a number out of range.
        }
        throw new InvalidConfigurationException(
                key + " is '" + given + "': a whole number from " + least + " to " + most + " is allowed");
    }

    @Override
    public boolean flag(String key, boolean defaultValue) throws InvalidConfigurationException {
        String given = entries.get(key);
        if (given == null) {
            return defaultValue;
        }
        return switch (given.trim()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new InvalidConfigurationException(key + " is '" + given + "': true or false is allowed");
        };
    }
}

package io.berth.dataflow.api;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The configuration of one operator: names and texts, read through typed getters. A wrong value is rejected with a
 * message that names the operator, the key, the value and what is allowed. Immutable and thread-safe.
 */
@ProviderType
public final class Configuration {

    private final String operator;
    private final Map<String, String> values;

    /** The configuration {@code values} of the operator named {@code operator}. */
    public Configuration(String operator, Map<String, String> values) {
        this.operator = Objects.requireNonNull(operator, "operator");
        this.values = new TreeMap<>(values);
    }

    /** The name of the operator that is configured. */
    public String operator() {
        return operator;
    }

    /** The value of {@code key}, if it is set. */
    public Optional<String> find(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** The value of {@code key}, which must be set and not blank. */
    public String text(String key) {
        return find(key).filter(value -> !value.isBlank()).orElseThrow(() -> refused(key, "a text that is not blank"));
    }

    /** The value of {@code key}, or {@code otherwise} when it is not set. */
    public String text(String key, String otherwise) {
        return find(key).orElse(otherwise);
    }

    /** The whole number at {@code key} in [minimum, maximum], or {@code otherwise} if not set. */
    public long number(String key, long otherwise, long minimum, long maximum) {
        Optional<String> value = find(key);
        if (value.isEmpty()) {
            return otherwise;
        }
        String allowed = "a whole number from " + minimum + " to " + maximum;
        long number;
        try {
            number = Long.parseLong(value.get().trim());
        } catch (NumberFormatException e) {
            throw refused(key, allowed);
        }
        if (number < minimum || number > maximum) {
            throw refused(key, allowed);
        }
        return number;
    }

    /** True or false at {@code key}, or {@code otherwise} if not set. */
    public boolean flag(String key, boolean otherwise) {
        Optional<String> value = find(key);
        if (value.isEmpty()) {
            return otherwise;
        }
        return switch (value.get().trim()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refused(key, "true or false");
        };
    }

    /** The value of {@code key}, one of {@code allowed}, or the first of them if not set. */
    public String choice(String key, String... allowed) {
        String value = find(key).orElse(allowed[0]);
        for (String candidate : allowed) {
            if (candidate.equals(value)) {
                return value;
            }
        }
        throw refused(key, "one of " + String.join(", ", allowed));
    }

    /** The error for the value of {@code key}; {@code allowed} says which values are right. */
    public ConfigurationException refused(String key, String allowed) {
        return new ConfigurationException(operator, key, find(key), allowed);
    }

    @Override
    public String toString() {
        return operator + values;
    }
}

package io.berth.dataflow.api;

import java.util.Optional;

/**
 * A value of an operator's configuration is wrong. The message names the operator, the key, the value and what is
 * allowed.
 */
public final class ConfigurationException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** {@code operator} has the wrong {@code value} for {@code key}; {@code allowed} says which values are right. */
    public ConfigurationException(String operator, String key, Optional<String> value, String allowed) {
        super("configuration of operator '" + operator + "': " + key
                + value.map(given -> " is '" + given + "'").orElse(" is not set")
                + "; allowed: " + allowed);
    }
}

package io.berth.dataflow.api;

import java.util.Optional;

/** An operator's configuration has a value that does not fit; the message names all there is to know. */
public final class ConfigurationException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Key {@code key} of {@code operator} has {@code value}, but only {@code allowed} is. */
    public ConfigurationException(String operator, String key, Optional<String> value, String allowed) {
        super("configuration of operator '" + operator + "': " + key
                + value.map(given -> " is '" + given + "'").orElse(" is not set")
                + "; allowed: " + allowed);
    }
}

package io.berth.spi;

/** A policy refuses a configuration. The message names the key, the value and what is allowed. */
public final class InvalidConfigurationException extends Exception {

    private static final long serialVersionUID = 1L;

    public InvalidConfigurationException(String message) {
        super(message);
    }
}

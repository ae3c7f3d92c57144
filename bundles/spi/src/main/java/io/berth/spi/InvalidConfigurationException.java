package io.berth.spi;

/**
 * A policy refuses a configuration. Thrown by {@code create} only; the message names the key, the value and what is
 * allowed, and is shown to people. The configuration before it goes on deciding.
 */
public final class InvalidConfigurationException extends Exception {

    private static final long serialVersionUID = 1L;

    public InvalidConfigurationException(String message) {
        super(message);
    }
}

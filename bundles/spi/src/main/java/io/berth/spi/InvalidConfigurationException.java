package io.berth.spi;

/**
 * A policy rejects a configuration. Only {@code create} throws it. The message names the key, the value and what is
 * allowed, and is shown to people. The previous configuration stays in effect.
 */
public final class InvalidConfigurationException extends Exception {

    private static final long serialVersionUID = 1L;

    public InvalidConfigurationException(String message) {
        super(message);
    }
}

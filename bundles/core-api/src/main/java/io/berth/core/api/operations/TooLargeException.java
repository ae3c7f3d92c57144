package io.berth.core.api.operations;

/** Input of a user is too large; the message has the maximum size. */
public final class TooLargeException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public TooLargeException(String message) {
        super(message);
    }
}

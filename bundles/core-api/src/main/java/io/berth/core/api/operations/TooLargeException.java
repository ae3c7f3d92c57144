package io.berth.core.api.operations;

/** What a user gave is larger than is allowed; the message says how large it may be. */
public final class TooLargeException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public TooLargeException(String message) {
        super(message);
    }
}

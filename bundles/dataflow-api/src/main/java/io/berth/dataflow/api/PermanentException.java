package io.berth.dataflow.api;

/**
 * Thrown by an operator when another attempt would fail in the same way: the job fails at once with this cause and is not
 * restarted. Any method of an operator or factory may throw it, also as the cause of another exception.
 *
 * <p>A {@link ConfigurationException} counts as one too. So do, until an operator has taken its first record, errors of
 * the program (as a {@link NullPointerException}, {@link ClassCastException}, {@link IllegalArgumentException} or {@link
 * LinkageError}) and files that are not there or must not be used. All else is tried again.
 */
public class PermanentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public PermanentException(String message) {
        super(message);
    }

    public PermanentException(String message, Throwable cause) {
        super(message, cause);
    }
}

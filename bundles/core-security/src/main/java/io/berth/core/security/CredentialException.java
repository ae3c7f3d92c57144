package io.berth.core.security;

/** Keys or certificates cannot be used; the message names the file, what is wrong, and what is allowed. */
public final class CredentialException extends Exception {

    private static final long serialVersionUID = 1L;

    public CredentialException(String message) {
        super(message);
    }

    public CredentialException(String message, Throwable cause) {
        super(message, cause);
    }
}

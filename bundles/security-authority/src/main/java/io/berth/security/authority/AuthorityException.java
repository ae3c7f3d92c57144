package io.berth.security.authority;

/** An authority could not do what was asked; the message names what is wrong, and what is allowed. */
public final class AuthorityException extends Exception {

    private static final long serialVersionUID = 1L;

    public AuthorityException(String message) {
        super(message);
    }

    public AuthorityException(String message, Throwable cause) {
        super(message, cause);
    }
}

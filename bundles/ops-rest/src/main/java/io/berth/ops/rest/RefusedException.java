package io.berth.ops.rest;

/** A request that is answered with an error. */
final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    RefusedException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}

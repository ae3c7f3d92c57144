package io.berth.core.api.rpc;

/** A remote call had no effect, or nobody knows whether it had one. */
public final class RpcException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why a call failed. */
    public enum Kind {
        /** The peer cannot be reached. The call may have had an effect when the connection broke. */
        UNREACHABLE,
        /** No answer in time. The call may have had an effect. */
        DEADLINE,
        /** No such endpoint in the peer. No effect. */
        NOT_FOUND,
        /** The token or the protocol version is not the receiver's. No effect. */
        FENCED,
        /** The message was malformed or too large. No effect. */
        REFUSED,
        /** The receiver failed while it handled the call; the message tells how. */
        FAILED
    }

    private final Kind kind;

    public RpcException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}

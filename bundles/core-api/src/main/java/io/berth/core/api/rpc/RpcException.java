package io.berth.core.api.rpc;

/** A remote call failed. It had no effect, or it is unknown whether it had one. */
public final class RpcException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why a call failed. */
    public enum Kind {
        /** The peer cannot be reached. The call may have had an effect when the connection broke. */
        UNREACHABLE,
        /** No answer came in time. The call may have had an effect. */
        DEADLINE,
        /** The peer has no such endpoint. The call had no effect. */
        NOT_FOUND,
        /** The token or protocol version does not match the receiver's. The call had no effect. */
        FENCED,
        /** The message was malformed or too large. The call had no effect. */
        REFUSED,
        /** The caller may not make this call, or is not who it has to be. The call had no effect. */
        DENIED,
        /** The receiver failed while it handled the call; the message has the cause. */
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

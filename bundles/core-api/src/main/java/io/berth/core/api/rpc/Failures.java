package io.berth.core.api.rpc;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Reads what stages and calls of other processes fail with. */
public final class Failures {

    private Failures() {}

    /** The failure without what stages and futures wrap around it. */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The kind of a remote failure; empty when it is none. */
    public static Optional<RpcException.Kind> kind(Throwable failure) {
        return cause(failure) instanceof RpcException remote ? Optional.of(remote.kind()) : Optional.empty();
    }

    /** Whether nobody at the other end answers to that token any more. */
    public static boolean isGone(Throwable failure) {
        return kind(failure)
                .filter(kind -> kind == RpcException.Kind.FENCED || kind == RpcException.Kind.NOT_FOUND)
                .isPresent();
    }

    /** Whether the call may work when it is tried again. */
    public static boolean isTransient(Throwable failure) {
        return kind(failure)
                .filter(kind -> kind == RpcException.Kind.UNREACHABLE || kind == RpcException.Kind.DEADLINE)
                .isPresent();
    }

    /** What happened, for people. */
    public static String text(Throwable failure) {
        Throwable cause = cause(failure);
        return cause.getMessage() == null || cause.getMessage().isBlank()
                ? cause.getClass().getSimpleName()
                : cause.getMessage();
    }
}

package io.berth.core.scheduler.job;

import io.berth.core.api.rpc.RpcException;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** Reads the outcome of remote calls that failed. */
public final class Failures {

    private Failures() {}

    /** The kind of a remote failure; empty when it is none. */
    public static Optional<RpcException.Kind> kind(Throwable failure) {
        return unwrap(failure) instanceof RpcException remote ? Optional.of(remote.kind()) : Optional.empty();
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
        Throwable cause = unwrap(failure);
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}

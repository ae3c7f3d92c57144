package io.berth.core.api.rpc;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Reads the failures of stages and of calls to other processes. */
public final class Failures {

    private Failures() {}

    /** The failure without the exceptions in which stages and futures wrap it. */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The kind of a remote failure; empty for other failures. */
    public static Optional<RpcException.Kind> kind(Throwable failure) {
        return cause(failure) instanceof RpcException remote ? Optional.of(remote.kind()) : Optional.empty();
    }

    /** Whether the endpoint no longer exists under that token. */
    public static boolean isGone(Throwable failure) {
        return kind(failure)
                .filter(kind -> kind == RpcException.Kind.FENCED || kind == RpcException.Kind.NOT_FOUND)
                .isPresent();
    }

    /** Whether the call may succeed when it is repeated. */
    public static boolean isTransient(Throwable failure) {
        return kind(failure)
                .filter(kind -> kind == RpcException.Kind.UNREACHABLE || kind == RpcException.Kind.DEADLINE)
                .isPresent();
    }

    /** The failure as text for people. */
    public static String text(Throwable failure) {
        Throwable cause = cause(failure);
        return cause.getMessage() == null || cause.getMessage().isBlank()
                ? cause.getClass().getSimpleName()
                : cause.getMessage();
    }
}

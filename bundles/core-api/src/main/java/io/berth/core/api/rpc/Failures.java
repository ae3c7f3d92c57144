package io.berth.core.api.rpc;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Reads the failures of stages and of calls to other processes. */
public final class Failures {

    private static final int MAX_CAUSES = 8;
    private static final int MAX_FRAMES = 24;

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

    /**
     * The stack trace of a failure and its causes, bounded in depth. It calls methods of the exceptions, which may be user
     * code; one that throws ends the trace.
     */
    public static String stack(Throwable failure) {
        StringBuilder text = new StringBuilder();
        Throwable next = failure;
        for (int depth = 0; next != null && depth < MAX_CAUSES; depth++) {
            text.append(depth == 0 ? "" : "\nCaused by: ").append(name(next));
            try {
                frames(next, text);
                next = next.getCause();
            } catch (RuntimeException | Error thrown) {
                next = null;
            }
        }
        return text.toString();
    }

    private static void frames(Throwable failure, StringBuilder text) {
        StackTraceElement[] frames = failure.getStackTrace();
        for (int at = 0; at < Math.min(frames.length, MAX_FRAMES); at++) {
            text.append("\n\tat ").append(frames[at]);
        }
        if (frames.length > MAX_FRAMES) {
            text.append("\n\t... ").append(frames.length - MAX_FRAMES).append(" more");
        }
    }

    private static String name(Throwable failure) {
        try {
            return String.valueOf(failure);
        } catch (RuntimeException | Error thrown) {
            return failure.getClass().getName();
        }
    }

    /** The failure as text for people. */
    public static String text(Throwable failure) {
        Throwable cause = cause(failure);
        return cause.getMessage() == null || cause.getMessage().isBlank()
                ? cause.getClass().getSimpleName()
                : cause.getMessage();
    }
}

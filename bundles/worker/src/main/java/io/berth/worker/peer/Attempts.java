package io.berth.worker.peer;

import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.time.Timers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Bounds calls in time and tells their failures for people. */
public final class Attempts {

    private Attempts() {}

    /** The outcome of {@code stage}, or a failure as {@link RpcException.Kind#DEADLINE} when it takes too long. */
    public static <T> CompletionStage<T> within(Timers timers, long millis, String what, CompletionStage<T> stage) {
        CompletableFuture<T> bounded = new CompletableFuture<>();
        Timers.Cancellable timer = timers.schedule(
                millis,
                () -> bounded.completeExceptionally(
                        new RpcException(RpcException.Kind.DEADLINE, what + ": no answer within " + millis + " ms")));
        stage.whenComplete((value, failure) -> {
            timer.cancel();
            if (failure == null) {
                bounded.complete(value);
            } else {
                bounded.completeExceptionally(failure);
            }
        });
        return bounded;
    }

    /** Whether no answer came in time, so that one may still come. */
    public static boolean isLate(Throwable failure) {
        return Failures.cause(failure) instanceof RpcException rpc && rpc.kind() == RpcException.Kind.DEADLINE;
    }

    /** In one line, for a log or a message. */
    public static String message(Throwable failure) {
        Throwable cause = Failures.cause(failure);
        String message = cause.getMessage();
        if (cause instanceof RpcException rpc) {
            return rpc.kind() + ": " + message;
        }
        return message == null || message.isBlank() ? cause.toString() : message;
    }
}

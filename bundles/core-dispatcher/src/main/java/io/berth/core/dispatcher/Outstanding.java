package io.berth.core.dispatcher;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers that callers wait for. A term that ends no longer runs its main thread or timers; then these answers fail
 * instead of never completing. Thread-safe.
 */
final class Outstanding {

    private final Set<CompletableFuture<?>> answers = new LinkedHashSet<>();
    private boolean closed;

    /** The same answer, or a failure when the term ends first. */
    <T> CompletionStage<T> track(CompletionStage<T> stage) {
        if (stage.toCompletableFuture().isDone()) {
            return stage;
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        synchronized (this) {
            if (closed) {
                end(answer);
                return answer;
            }
            answers.add(answer);
        }
        stage.whenComplete((value, failure) -> {
            synchronized (this) {
                answers.remove(answer);
            }
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(value);
            }
        });
        return answer;
    }

    /** Fails all open answers, and all later ones. */
    void close() {
        List<CompletableFuture<?>> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(answers);
            answers.clear();
        }
        open.forEach(Outstanding::end);
    }

    private static void end(CompletableFuture<?> answer) {
        answer.completeExceptionally(new IllegalStateException("this Dispatcher has ended: call the current leader"));
    }
}

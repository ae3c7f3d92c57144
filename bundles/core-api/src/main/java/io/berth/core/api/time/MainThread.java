package io.berth.core.api.time;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main thread of one stateful component: a serial executor over a shared pool. At most one action runs at a time, in
 * the order of submission, and what one action did is visible to the next. A closed main thread drops what is
 * submitted; so an action of a component that ended never runs.
 */
public final class MainThread implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(MainThread.class);
    private static final int ACTIONS_PER_TURN = 64;

    private final String name;
    private final Executor pool;
    private final Timers timers;
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private boolean active;
    private boolean closed;
    private volatile Thread current;

    /**
     * @param name for log lines: the component and its id
     * @param pool runs the actions; shared by many main threads
     * @param timers for delayed actions
     */
    public MainThread(String name, Executor pool, Timers timers) {
        this.name = name;
        this.pool = pool;
        this.timers = timers;
    }

    @Override
    public void execute(Runnable action) {
        submit(action);
    }

    private boolean submit(Runnable action) {
        synchronized (queue) {
            if (closed) {
                return false;
            }
            queue.add(action);
            if (active) {
                return true;
            }
            active = true;
        }
        pool.execute(this::turn);
        return true;
    }

    /** Runs {@code action} on the main thread after a delay; not at all when the main thread is closed by then. */
    public Timers.Cancellable schedule(long delayMillis, Runnable action) {
        return timers.schedule(delayMillis, () -> execute(action));
    }

    /**
     * Computes a value on the main thread. What the call throws fails the stage; so does the end of the main thread, as
     * {@link ClosedException}.
     */
    public <T> CompletionStage<T> call(Callable<T> call) {
        Call<T> action = new Call<>(call, new CompletableFuture<>());
        if (!submit(action)) {
            action.drop(name);
        }
        return action.result();
    }

    /** Handles the outcome of {@code stage} on the main thread. */
    public <T> void whenComplete(CompletionStage<T> stage, BiConsumer<? super T, ? super Throwable> handler) {
        stage.whenComplete((value, failure) -> execute(() -> handler.accept(value, failure)));
    }

    /** Whether the caller is on this main thread. */
    public boolean isCurrent() {
        return current == Thread.currentThread();
    }

    /** Fails when the caller is not on this main thread. */
    public void assertCurrent() {
        if (!isCurrent()) {
            throw new IllegalStateException("must run on the main thread of " + name + ", not on "
                    + Thread.currentThread().getName());
        }
    }

    /** Drops what waits and what comes; the action that runs at this moment ends. */
    public void close() {
        List<Runnable> dropped;
        synchronized (queue) {
            closed = true;
            dropped = List.copyOf(queue);
            queue.clear();
        }
        for (Runnable action : dropped) {
            if (action instanceof Call<?> call) {
                call.drop(name);
            }
        }
    }

    private void turn() {
        for (int ran = 0; ran < ACTIONS_PER_TURN; ran++) {
            Runnable action;
            synchronized (queue) {
                action = queue.poll();
                if (action == null) {
                    active = false;
                    return;
                }
            }
            run(action);
        }
        pool.execute(this::turn);
    }

    /** Nobody is current once the action is over: from the end of a turn on, another thread may take the next one. */
    private void run(Runnable action) {
        current = Thread.currentThread();
        try {
            action.run();
        } catch (Throwable failure) {
            LOG.error("{}: an action on the main thread failed", name, failure);
        } finally {
            current = null;
        }
    }

    private record Call<T>(Callable<T> call, CompletableFuture<T> result) implements Runnable {

        @Override
        public void run() {
            try {
                result.complete(call.call());
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        }

        void drop(String name) {
            result.completeExceptionally(new ClosedException(name));
        }
    }

    /** The component ended before it could answer. */
    public static final class ClosedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ClosedException(String name) {
            super(name + " has ended");
        }
    }
}

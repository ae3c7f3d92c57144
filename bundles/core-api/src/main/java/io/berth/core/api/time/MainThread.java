package io.berth.core.api.time;

import io.berth.core.api.rpc.RpcException;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main thread of one stateful component: a serial executor over a shared pool. At most one action runs at a time,
 * in the order of submission, and each action sees the effects of the previous ones. A closed main thread drops
 * submitted actions and cancels its timers. So an action never runs after its component has ended, and no timer keeps
 * the component in memory.
 *
 * <p>An action that throws may leave the state of its component inconsistent. So the owner of the component receives
 * everything that actions throw, and decides what must end. A call that is rejected on purpose throws {@link
 * RefusedException}.
 */
public final class MainThread implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(MainThread.class);
    private static final int ACTIONS_PER_TURN = 64;

    private final String name;
    private final Executor pool;
    private final Timers timers;
    private final Consumer<? super Throwable> failed;
    private final Queue<Action> queue = new ArrayDeque<>();
    /** Timers that have neither run nor been canceled. Guarded by {@code queue}. */
    private final Set<Timer> scheduled = new LinkedHashSet<>();

    private boolean active;
    private boolean closed;
    private volatile @Nullable Thread current;

    /**
     * @param name for log lines: the component and its id
     * @param pool runs the actions; shared by many main threads, which close when it is shut down
     * @param timers for delayed actions
     * @param failed receives what an action threw, on the main thread before the next action, and what the pool threw,
     *     on any thread; must not block or throw
     */
    public MainThread(String name, Executor pool, Timers timers, Consumer<? super Throwable> failed) {
        this.name = name;
        this.pool = pool;
        this.timers = timers;
        this.failed = failed;
    }

    @Override
    public void execute(Runnable action) {
        submit(action::run);
    }

    private boolean submit(Action action) {
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
        scheduleTurn();
        return true;
    }

    /**
     * If the pool was shut down, this main thread closes too. If the pool fails otherwise, for example because it
     * cannot create a thread, the actions stay in the queue until the next one is submitted, and the owner receives
     * the failure.
     */
    private void scheduleTurn() {
        try {
            pool.execute(this::runTurn);
        } catch (RejectedExecutionException shutDown) {
            close();
        } catch (Throwable failure) {
            synchronized (queue) {
                active = false;
            }
            LOG.error("{}: its thread pool did not accept an action", name, failure);
            failed.accept(failure);
        }
    }

    /**
     * Runs {@code action} on the main thread after a delay, unless it is canceled or the main thread is closed before.
     * A canceled action does not run even if its delay has passed and it is already in the queue.
     */
    public Timers.Cancellable schedule(long delayMillis, Runnable action) {
        Timer timer = new Timer(action);
        synchronized (queue) {
            if (closed) {
                return timer;
            }
            scheduled.add(timer);
        }
        timer.handle = timers.schedule(delayMillis, () -> execute(timer));
        return timer;
    }

    private boolean forget(Timer timer) {
        synchronized (queue) {
            return scheduled.remove(timer);
        }
    }

    /**
     * Computes a value on the main thread. The stage fails with what the call throws; the owner receives it first,
     * unless it is a {@link RefusedException}. If the main thread is closed, the stage fails with {@link
     * ClosedException}.
     */
    public <T> CompletionStage<T> call(Callable<T> call) {
        Call<T> action = new Call<>(call);
        if (!submit(action)) {
            action.drop(name);
        }
        return action.result;
    }

    /** Handles the outcome of {@code stage} on the main thread. */
    public <T> void whenComplete(CompletionStage<T> stage, BiConsumer<? super T, ? super Throwable> handler) {
        stage.whenComplete((value, failure) -> execute(() -> handler.accept(value, failure)));
    }

    /** The outcome of {@code stage}, or {@link RpcException.Kind#DEADLINE} when there is no outcome in time. */
    public <T> CompletionStage<T> within(long millis, String what, CompletionStage<T> stage) {
        CompletableFuture<T> bounded = new CompletableFuture<>();
        Timers.Cancellable timer = schedule(
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

    /** Whether the calling thread is this main thread. */
    public boolean isCurrent() {
        return current == Thread.currentThread();
    }

    /** Throws if the calling thread is not this main thread. */
    public void assertCurrent() {
        if (!isCurrent()) {
            throw new IllegalStateException("must run on the main thread of " + name + ", not on "
                    + Thread.currentThread().getName());
        }
    }

    /** Drops all actions in the queue and all later ones; an action that is running completes. */
    public void close() {
        List<Action> dropped;
        List<Timer> canceled;
        synchronized (queue) {
            closed = true;
            dropped = List.copyOf(queue);
            queue.clear();
            canceled = List.copyOf(scheduled);
            scheduled.clear();
        }
        dropped.forEach(action -> action.drop(name));
        canceled.forEach(Timer::cancelHandle);
    }

    private void runTurn() {
        boolean more = true;
        try {
            for (int ran = 0; ran < ACTIONS_PER_TURN; ran++) {
                Action action;
                synchronized (queue) {
                    action = queue.poll();
                    if (action == null) {
                        active = false;
                        more = false;
                        return;
                    }
                }
                run(action);
            }
        } finally {
            // Waiting actions must run even if the receiver of failures throws.
            if (more) {
                scheduleTurn();
            }
        }
    }

    /** Clears {@code current} after the action, because another thread may run the next one. */
    private void run(Action action) {
        current = Thread.currentThread();
        try {
            action.run();
        } catch (Throwable failure) {
            LOG.error("{}: an action on the main thread failed", name, failure);
            failed.accept(failure);
        } finally {
            current = null;
        }
    }

    private interface Action {

        void run() throws Exception;

        default void drop(String name) {}
    }

    private final class Timer implements Runnable, Timers.Cancellable {

        private final Runnable action;
        private volatile Timers.Cancellable handle = () -> {};

        Timer(Runnable action) {
            this.action = action;
        }

        @Override
        public void run() {
            if (forget(this)) {
                action.run();
            }
        }

        @Override
        public void cancel() {
            if (forget(this)) {
                cancelHandle();
            }
        }

        private void cancelHandle() {
            try {
                handle.cancel();
            } catch (RuntimeException failure) {
                LOG.debug("{}: a timer could not be canceled; it will have no effect", name, failure);
            }
        }
    }

    private final class Call<T> implements Action {

        private final Callable<T> call;
        private final CompletableFuture<T> result = new CompletableFuture<>();

        Call(Callable<T> call) {
            this.call = call;
        }

        @Override
        public void run() {
            T value;
            try {
                value = call.call();
            } catch (RefusedException refused) {
                result.completeExceptionally(refused);
                return;
            } catch (Throwable failure) {
                LOG.error("{}: a call on the main thread failed", name, failure);
                failed.accept(failure);
                result.completeExceptionally(failure);
                return;
            }
            result.complete(value);
        }

        @Override
        public void drop(String component) {
            result.completeExceptionally(new ClosedException(component));
        }
    }

    /** A call was rejected because it is not allowed, or not now. The component is unchanged. */
    public static final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public RefusedException(String message) {
            super(message);
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

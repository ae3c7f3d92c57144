package io.berth.core.api.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.fake.ManualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MainThreadTest {

    private static final int ACTIONS = 500_000;
    private static final int SPINS = 5;

    private final Timers timers = (delayMillis, action) -> () -> {};

    /** Both threads run turns: one begins its turn at the moment when the turn of the other one ends. */
    @Test
    void anActionIsOnTheMainThreadRightAfterAnotherTurn() throws InterruptedException {
        MainThread mainThread = new MainThread("test", Runnable::run, timers, failure -> {
            throw new AssertionError(failure);
        });
        AtomicInteger strayed = new AtomicInteger();
        Runnable action = () -> {
            spin(SPINS);
            if (!mainThread.isCurrent()) {
                strayed.incrementAndGet();
            }
        };
        List<Thread> threads = Stream.generate(() -> new Thread(() -> {
                    for (int count = 0; count < ACTIONS; count++) {
                        mainThread.execute(action);
                        spin(count % 64);
                    }
                }))
                .limit(2)
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(strayed).hasValue(0);
    }

    private final List<Throwable> failures = new ArrayList<>();

    private MainThread watched() {
        return new MainThread("test", Runnable::run, timers, failures::add);
    }

    @Test
    void theOwnerReceivesAFailureBeforeTheNextActionRuns() {
        MainThread mainThread = watched();
        List<Integer> received = new ArrayList<>();
        mainThread.execute(() -> {
            mainThread.execute(() -> received.add(failures.size()));
            throw new OutOfMemoryError("a test");
        });
        assertThat(failures).singleElement().isInstanceOf(OutOfMemoryError.class);
        assertThat(received).containsExactly(1);
    }

    @Test
    void theOwnerReceivesTheFailureOfACallAndItsStageFails() {
        CompletionStage<String> stage = watched().call(() -> {
            throw new ArithmeticException("overflow");
        });
        assertThat(failures).singleElement().isInstanceOf(ArithmeticException.class);
        assertThat(stage.toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void aRejectedCallFailsOnlyItsStage() {
        CompletionStage<String> stage = watched().call(() -> {
            throw new MainThread.RefusedException("not at this time");
        });
        assertThat(failures).isEmpty();
        assertThat(stage.toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void waitingActionsRunWhenTheReceiverOfFailuresThrows() {
        MainThread mainThread = new MainThread("test", Runnable::run, timers, failure -> {
            throw new IllegalStateException("the receiver", failure);
        });
        AtomicInteger ran = new AtomicInteger();
        assertThatThrownBy(() -> mainThread.execute(() -> {
                    mainThread.execute(ran::incrementAndGet);
                    throw new ArithmeticException("overflow");
                }))
                .hasMessage("the receiver");
        mainThread.execute(ran::incrementAndGet);
        assertThat(ran).hasValue(2);
    }

    @Test
    void anActionThatThePoolRejectsRunsWithTheNextOneAndTheOwnerReceivesTheFailure() {
        AtomicInteger refused = new AtomicInteger(1);
        MainThread mainThread = new MainThread(
                "test",
                action -> {
                    if (refused.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    action.run();
                },
                timers,
                failures::add);
        AtomicInteger ran = new AtomicInteger();
        mainThread.execute(ran::incrementAndGet);
        assertThat(failures).singleElement().isInstanceOf(OutOfMemoryError.class);
        assertThat(ran).hasValue(0);
        mainThread.execute(ran::incrementAndGet);
        assertThat(ran).hasValue(2);
    }

    @Test
    void aPoolThatWasShutDownClosesTheMainThreadAndFailsItsCalls() {
        Queue<Runnable> turns = new ArrayDeque<>();
        AtomicBoolean shutDown = new AtomicBoolean();
        MainThread mainThread = new MainThread(
                "test",
                turn -> {
                    if (shutDown.get()) {
                        throw new RejectedExecutionException("shut down");
                    }
                    turns.add(turn);
                },
                timers,
                failures::add);
        mainThread.execute(() -> shutDown.set(true));
        for (int i = 0; i < 100; i++) {
            mainThread.execute(() -> {});
        }
        CompletionStage<String> waiting = mainThread.call(() -> "late");
        turns.remove().run();
        CompletionStage<String> later = mainThread.call(() -> "later");
        assertThat(waiting.toCompletableFuture()).isCompletedExceptionally();
        assertThat(later.toCompletableFuture()).isCompletedExceptionally();
        assertThat(failures).isEmpty();
    }

    private static void spin(int times) {
        for (int count = 0; count < times; count++) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aTimerThatIsCanceledInTheQueueDoesNotRun() {
        ManualTime time = new ManualTime();
        List<Runnable> turns = new ArrayList<>();
        MainThread mainThread = new MainThread("test", turns::add, time, failures::add);
        List<String> ran = new ArrayList<>();
        Timers.Cancellable canceled = mainThread.schedule(10, () -> ran.add("canceled"));
        mainThread.schedule(10, () -> ran.add("kept"));
        time.advance(10);
        canceled.cancel();
        turns.forEach(Runnable::run);
        assertThat(ran).containsExactly("kept");
    }

    @Test
    void theEndOfTheMainThreadCancelsItsTimers() {
        ManualTime time = new ManualTime();
        MainThread mainThread = new MainThread("test", Runnable::run, time, failures::add);
        mainThread.schedule(10, () -> failures.add(new AssertionError("ran")));
        mainThread.close();
        assertThat(time.pending()).isZero();
        mainThread.schedule(10, () -> failures.add(new AssertionError("ran")));
        time.advance(10);
        assertThat(failures).isEmpty();
    }

    @Test
    void aStageWithoutAnOutcomeFailsAfterItsTime() {
        ManualTime time = new ManualTime();
        MainThread mainThread = new MainThread("test", Runnable::run, time, failures::add);
        CompletionStage<String> bounded = mainThread.within(100, "question", new CompletableFuture<String>());
        time.advance(99);
        assertThat(bounded.toCompletableFuture()).isNotDone();
        time.advance(1);
        assertThat(bounded.toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("question: no answer within 100 ms");
        assertThat(mainThread.within(100, "question", CompletableFuture.completedStage("answer")))
                .isCompletedWithValue("answer");
        assertThat(time.pending()).isZero();
    }
}

package io.berth.benchmark.rescale;

import io.berth.core.api.task.AttemptId;
import io.berth.core.api.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** What the workers see of a step, and how many slots and running tasks there are. Any thread. */
final class Observer {

    private final Clock clock;
    private final Map<Moment, Long> nanos = new EnumMap<>(Moment.class);
    private long execution;
    private int executions;
    /** Tasks of the latest execution of which the JobMaster knows that they run. */
    private int running;

    private int slots;
    private BooleanSupplier awaited = () -> false;
    private CompletableFuture<Void> reached = new CompletableFuture<>();

    Observer(Clock clock) {
        this.clock = clock;
    }

    /** A step begins. */
    synchronized void begin() {
        nanos.clear();
        executions = 0;
        nanos.put(Moment.BEGUN, clock.nanos());
    }

    /** The step that has ended. */
    synchronized StepTimes step() {
        return new StepTimes(nanos, executions);
    }

    /** Completes when so many tasks of one execution run that began in this step. */
    synchronized CompletableFuture<Void> whenRunning(int tasks) {
        return when(() -> executions > 0 && running == tasks);
    }

    /** Completes when the workers have so many slots. */
    synchronized CompletableFuture<Void> whenSlots(int count) {
        return when(() -> slots == count);
    }

    private CompletableFuture<Void> when(BooleanSupplier condition) {
        awaited = condition;
        reached = new CompletableFuture<>();
        changed();
        return reached;
    }

    private void changed() {
        if (awaited.getAsBoolean()) {
            reached.complete(null);
        }
    }

    private void first(Moment moment) {
        nanos.putIfAbsent(moment, clock.nanos());
    }

    private void last(Moment moment) {
        nanos.put(moment, clock.nanos());
    }

    synchronized void slotsRequested(int count) {
        first(Moment.REQUESTED);
        slots += count;
    }

    synchronized void slotsAccepted() {
        last(Moment.AVAILABLE);
        changed();
    }

    synchronized void slotsFreed(int count) {
        slots -= count;
        changed();
    }

    synchronized void canceled() {
        first(Moment.STOPPED);
    }

    synchronized void ended() {
        last(Moment.ENDED);
    }

    synchronized void deployed(AttemptId attempt) {
        if (attempt.execution() > execution) {
            execution = attempt.execution();
            executions++;
            running = 0;
            last(Moment.BUILT);
        }
        last(Moment.DEPLOYED);
    }

    synchronized void running(AttemptId attempt) {
        if (attempt.execution() == execution) {
            running++;
            last(Moment.RUNNING);
            changed();
        }
    }

    /** What there is, for an error message. */
    synchronized String describe() {
        return slots + " slots, " + running + " running tasks of execution " + execution;
    }
}

package io.berth.simulator.job;

import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** All tasks of a world, and what flows between them: only the end and the break of each stream. */
public final class Exchange {

    private static final long LOOK_NANOS = 2 * VirtualTime.SECOND;
    /** A missing producer may still be on its way to its worker. */
    private static final int PATIENT_LOOKS = 15;

    /** Observes what tasks do. */
    public interface Listener {
        void started(SimulatedTask task);

        void ended(SimulatedTask task);

        void committed(SimulatedTask task, List<Committable> committables);
    }

    private record Key(AttemptId attempt, String process) implements Comparable<Key> {

        @Override
        public int compareTo(Key other) {
            int byAttempt = attempt.compareTo(other.attempt);
            return byAttempt != 0 ? byAttempt : process.compareTo(other.process);
        }
    }

    private final RandomGenerator random;
    private final Listener listener;
    private final BooleanSupplier calm;
    private final SortedMap<Key, SimulatedTask> running = new TreeMap<>();
    private final Map<Incarnation, SortedMap<Key, SimulatedTask>> byProcess = new LinkedHashMap<>();
    private final SortedMap<AttemptId, Boolean> completed = new TreeMap<>();

    /** @param calm whether tasks neither end nor fail */
    public Exchange(RandomGenerator random, Listener listener, BooleanSupplier calm) {
        this.random = random;
        this.listener = listener;
        this.calm = calm;
    }

    boolean isCalm() {
        return calm.getAsBoolean();
    }

    private static Key key(SimulatedTask task) {
        return new Key(task.deployment().attempt(), task.process().toString());
    }

    public void started(SimulatedTask task) {
        running.put(key(task), task);
        byProcess.computeIfAbsent(task.process(), process -> new TreeMap<>()).put(key(task), task);
        listener.started(task);
        task.process().in(0, What.WORLD, task::begin);
    }

    public List<SimulatedTask> running() {
        return new ArrayList<>(running.values());
    }

    /** The tasks of one process. */
    public List<SimulatedTask> runningOn(Incarnation process) {
        return List.copyOf(
                byProcess.getOrDefault(process, Collections.emptySortedMap()).values());
    }

    void completed(SimulatedTask task) {
        completed.put(task.deployment().attempt(), true);
    }

    /** The task ends when all its inputs are complete, and breaks when one of them can no longer become complete. */
    void reads(SimulatedTask task) {
        look(task, 0);
    }

    private void look(SimulatedTask task, int looks) {
        if (task.hasEnded()) {
            return;
        }
        boolean all = true;
        for (Input input : task.deployment().inputs()) {
            for (Producer producer : input.producers()) {
                AttemptId attempt = producer.partition().producer();
                if (!completed.containsKey(attempt)) {
                    all = false;
                    if (looks > PATIENT_LOOKS && !runs(attempt)) {
                        task.disconnected("its producer " + attempt + " is gone");
                        return;
                    }
                }
            }
        }
        if (all) {
            task.complete();
        } else {
            task.process().in(LOOK_NANOS / 2 + random.nextLong(LOOK_NANOS), What.WORLD, () -> look(task, looks + 1));
        }
    }

    private boolean runs(AttemptId attempt) {
        SortedMap<Key, SimulatedTask> from = running.tailMap(new Key(attempt, ""));
        return !from.isEmpty() && from.firstKey().attempt().equals(attempt);
    }

    void ended(SimulatedTask task, Outcome outcome) {
        // A task of the next JobMaster may have the same id and already run.
        running.remove(key(task), task);
        SortedMap<Key, SimulatedTask> beside = byProcess.getOrDefault(task.process(), new TreeMap<>());
        beside.remove(key(task), task);
        if (beside.isEmpty()) {
            byProcess.remove(task.process());
        }
        if (!(outcome instanceof Outcome.Finished)) {
            completed.remove(task.deployment().attempt());
        }
        listener.ended(task);
    }

    void committed(SimulatedTask task, List<Committable> committables) {
        listener.committed(task, committables);
    }

    /** All tasks of a process disappear with it. */
    public void gone(Incarnation process) {
        for (SimulatedTask task : runningOn(process)) {
            running.remove(key(task));
            completed.remove(task.deployment().attempt());
            listener.ended(task);
        }
        byProcess.remove(process);
    }
}

package io.berth.simulator.job;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
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

        /** A task that was canceled before is asked to commit. */
        default void committedLate(SimulatedTask task) {}

        /** The blocking outputs of a task are complete. */
        default void stored(SimulatedTask task) {}
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
    /** The tasks whose output is complete, with the records of those that keep them. */
    private final SortedMap<AttemptId, List<Integer>> completed = new TreeMap<>();

    private final StoredResults results = new StoredResults();
    private final StoredInputs.Connections connections;

    /** @param calm whether tasks neither end nor fail */
    public Exchange(
            RandomGenerator random, Listener listener, BooleanSupplier calm, StoredInputs.Connections connections) {
        this.random = random;
        this.listener = listener;
        this.calm = calm;
        this.connections = connections;
    }

    /** What workers store. */
    public StoredResults results() {
        return results;
    }

    StoredInputs.Connections connections() {
        return connections;
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

    void completed(SimulatedTask task, List<Integer> records) {
        completed.put(task.deployment().attempt(), records);
        List<TaskDeployment.Output> stored = task.deployment().outputs().stream()
                .filter(output -> output.exchange() == JobGraph.Exchange.BLOCKING)
                .toList();
        stored.forEach(output ->
                results.store(task.process(), new PartitionId(task.deployment().attempt(), output.edge()), records));
        if (!stored.isEmpty()) {
            listener.stored(task);
        }
    }

    /** The records of a producer that is complete. */
    List<Integer> written(AttemptId producer) {
        return completed.getOrDefault(producer, List.of());
    }

    /**
     * The task ends when all its pipelined inputs are complete, and breaks when one of them can no longer become
     * complete.
     */
    void reads(SimulatedTask task) {
        look(task, 0);
    }

    private void look(SimulatedTask task, int looks) {
        if (task.hasEnded()) {
            return;
        }
        boolean all = true;
        for (Input input : task.pipelined()) {
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
            task.inputComplete();
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
            task.deployment()
                    .outputs()
                    .forEach(output -> results.release(
                            task.process(),
                            List.of(new PartitionId(task.deployment().attempt(), output.edge()))));
        }
        listener.ended(task);
    }

    void committed(SimulatedTask task, List<Committable> committables) {
        listener.committed(task, committables);
    }

    void committedLate(SimulatedTask task) {
        listener.committedLate(task);
    }

    /** All tasks of a process disappear with it. */
    public void gone(Incarnation process) {
        for (SimulatedTask task : runningOn(process)) {
            running.remove(key(task));
            completed.remove(task.deployment().attempt());
            listener.ended(task);
        }
        byProcess.remove(process);
        results.gone(process);
    }
}

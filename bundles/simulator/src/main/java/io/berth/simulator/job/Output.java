package io.berth.simulator.job;

import io.berth.core.api.task.TaskContext.Committable;
import io.berth.spi.JobId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The output of the jobs of a simulated world: the records of all tasks whose output was committed, each as often as
 * it was committed, and how many tasks were started for it. Passes each event on to another listener.
 */
public final class Output implements Exchange.Listener {

    private final Exchange.Listener next;
    private final SortedMap<JobId, Long> records = new TreeMap<>();
    private final SortedMap<JobId, Integer> starts = new TreeMap<>();

    public Output(Exchange.Listener next) {
        this.next = next;
    }

    /** What a task prepares to commit. */
    static byte[] written(SimulatedTask task) {
        String kept = task.kept().isEmpty() ? "" : Records.text(task.kept()) + " ";
        return (task.deployment().attempt() + " " + kept + task.records()).getBytes(StandardCharsets.UTF_8);
    }

    private static long recordsOf(Committable committable) {
        String text = new String(committable.content(), StandardCharsets.UTF_8);
        return Long.parseLong(text.substring(text.lastIndexOf(' ') + 1));
    }

    /** Records that the job has committed. */
    public long records(JobId job) {
        return records.getOrDefault(job, 0L);
    }

    /** How many tasks of the job were started. */
    public int starts(JobId job) {
        return starts.getOrDefault(job, 0);
    }

    @Override
    public void started(SimulatedTask task) {
        starts.merge(task.deployment().attempt().job(), 1, Integer::sum);
        next.started(task);
    }

    @Override
    public void ended(SimulatedTask task) {
        next.ended(task);
    }

    @Override
    public void committed(SimulatedTask task, List<Committable> committables) {
        long sum = committables.stream().mapToLong(Output::recordsOf).sum();
        records.merge(task.deployment().attempt().job(), sum, Long::sum);
        next.committed(task, committables);
    }
}

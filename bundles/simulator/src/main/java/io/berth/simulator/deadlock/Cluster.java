package io.berth.simulator.deadlock;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.simulator.deadlock.Instance.Loss;
import io.berth.simulator.job.Exchange;
import io.berth.simulator.job.SimulatedTask;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.Interferences;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Network;
import io.berth.simulator.network.NetworkConditions;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.Trace;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.Tuning;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Plays an instance: the core classes of the control plane and of workers, in one thread and virtual time. For one use.
 */
final class Cluster implements ControlPlane.Listener, Exchange.Listener {

    /** Longer than all timeouts, pauses and absences together: after it, nothing happens by itself. */
    private static final long STILL_NANOS = 300 * VirtualTime.SECOND;
    /** Longer than all tasks one after another, with restarts. */
    private static final long LIMIT_NANOS = 7_200 * VirtualTime.SECOND;

    /** Until all jobs have reported, although messages are slow. */
    private static final long REPORT_NANOS = 30 * VirtualTime.SECOND;

    private static final Tuning TUNING = new Tuning(
            15_000, 45_000, 60_000, 30_000, 5_000, 10_000, 5_000, 500, 1_000, 20_000, 3_600_000, 10_000, false);

    /**
     * What became of an instance.
     *
     * @param hang why it hangs; empty when all its jobs have finished
     * @param returnsAsked how often a job was asked for slots
     * @param hash of all that happened
     */
    record Result(Instance instance, Optional<String> hang, long returnsAsked, long events, long nanos, long hash) {}

    private final Instance instance;
    private final Trace trace = new Trace(Optional.empty());
    private final VirtualTime time = new VirtualTime(trace);
    private final SortedMap<JobId, JobDetails> reports = new TreeMap<>();
    private Optional<String> failure = Optional.empty();
    private final Machines machines;
    private final ControlPlane controlPlane;
    private long lastProgress;
    private long returnsAsked;

    Cluster(Instance instance, Rule rule, MessageKinds kinds) {
        this.instance = instance;
        SplittableRandom random = new SplittableRandom(instance.seed() ^ 0x2545F4914F6CDD1DL);
        Incarnation outside = new Incarnation("outside", 0, time, random.split());
        NetworkConditions conditions = new NetworkConditions(random.split());
        conditions.slow(0, instance.spreadNanos());
        Network network = new Network(
                time,
                outside,
                trace,
                random.split(),
                conditions,
                kinds,
                new Coverage(kinds),
                TUNING.callDeadline(),
                Interferences.none(),
                this::failed);
        controlPlane = new ControlPlane(time, network, random.split(), TUNING, rule, this);
        controlPlane.start(instance);
        machines = new Machines(time, network, this, random.split(), TUNING, this::failed);
        for (int index = 0; index < instance.machines().size(); index++) {
            int machine = index;
            time.in(instance.machines().get(machine).startNanos(), What.WORLD, outside, () -> {
                Incarnation process = machines.start(total(machine));
                instance.losses().stream()
                        .filter(loss -> loss.machine() == machine)
                        .forEach(loss -> lose(loss, process, outside));
            });
        }
    }

    private ResourceProfile total(int machine) {
        return instance.machines().get(machine).total();
    }

    private void lose(Loss loss, Incarnation process, Incarnation outside) {
        time.in(loss.inNanos(), What.WORLD, outside, () -> machines.kill(process));
        loss.backInNanos()
                .ifPresent(nanos -> time.in(nanos, What.WORLD, outside, () -> machines.start(total(loss.machine()))));
    }

    Result play() {
        Optional<String> hang = hang();
        while (hang.isEmpty() && !isOver()) {
            time.step(Math.min(lastProgress + STILL_NANOS, LIMIT_NANOS));
            hang = hang();
        }
        return new Result(instance, hang, returnsAsked, time.happened(), time.now(), trace.hash());
    }

    /** Lets virtual time pass. @return what is wrong already */
    Optional<String> run(long nanos) {
        long until = time.now() + nanos;
        while (failure.isEmpty() && time.step(until)) {
            // Until nothing more is due.
        }
        return failure;
    }

    /** The living workers and their slots, a moment later. */
    List<Machines.Held> machines() {
        List<Machines.Held> held = new ArrayList<>();
        machines.ask().forEach(answer -> answer.thenAccept(held::add));
        run(VirtualTime.SECOND);
        return held;
    }

    List<SimulatedTask> tasks() {
        return machines.tasks();
    }

    /** The last report of each job. */
    SortedMap<JobId, JobDetails> reports() {
        return Collections.unmodifiableSortedMap(reports);
    }

    private boolean isOver() {
        return reports.size() == instance.jobs().size()
                && reports.values().stream().allMatch(report -> report.status() == JobStatus.FINISHED);
    }

    private Optional<String> hang() {
        if (failure.isPresent()) {
            return failure;
        }
        return time.now() < Math.min(lastProgress + STILL_NANOS, LIMIT_NANOS) ? Optional.empty() : Optional.of(why());
    }

    private String why() {
        controlPlane.report();
        run(REPORT_NANOS);
        return instance + ": "
                + reports.values().stream()
                        .map(job -> job.id() + " is " + job.status().label() + ": " + job.reason())
                        .collect(Collectors.joining("; "));
    }

    // What happens

    @Override
    public void changed(JobId job, JobDetails details) {
        JobStatus status = details.status();
        reports.put(job, details);
        if (status.isTerminal() && status != JobStatus.FINISHED) {
            failed(job + " is " + status + ": " + details.reason());
        }
    }

    @Override
    public void asked() {
        returnsAsked++;
    }

    @Override
    public void failed(String cause) {
        failure = failure.or(() -> Optional.of(cause));
    }

    @Override
    public void started(SimulatedTask task) {
        lastProgress = time.now();
    }

    @Override
    public void ended(SimulatedTask task) {
        lastProgress = time.now();
    }

    @Override
    public void committed(SimulatedTask task, List<Committable> committables) {
        lastProgress = time.now();
    }
}

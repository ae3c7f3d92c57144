package io.berth.simulator.recovery;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.SlotReport.Slot;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.rpc.CarriedAnswer;
import io.berth.core.rpc.CarriedRpc;
import io.berth.simulator.network.Network.Reachable;
import io.berth.simulator.oracle.Ledger;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.Tuning;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What jobs hold, by the tables of the workers, against what they declared last (promise P2): a slot that nothing runs in
 * while its group has more than it declared goes back within the idle time-out and the time that messages take; a slot of
 * a JobMaster that leads no more goes when its worker has noticed that and nobody else took it. Counts only while the
 * world is left alone, from zero whenever that begins: what faults do is never held against anybody.
 */
public final class Holdings {

    private static final long STEP_NANOS = VirtualTime.SECOND;
    /** A JobMaster looks for idle slots with each heartbeat; with no worker at all, seldom. */
    private static final long SLOWEST_BEAT_MILLIS = 5_000;

    private static final int BEATS = 3;
    /** A leader that was deposed hears of it so late. */
    private static final long LATE_MILLIS = 30_000;

    private final World world;
    private final long idleNanos;
    private final long orphanNanos;
    /** Since when a slot should go. */
    private SortedMap<AllocationId, Long> since = new TreeMap<>();

    public Holdings(World world) {
        this.world = world;
        Tuning tuning = world.tuning;
        long beats = BEATS * Math.max(SLOWEST_BEAT_MILLIS, tuning.heartbeatInterval());
        idleNanos = (tuning.slotIdleTimeout() + beats + tuning.callDeadline()) * VirtualTime.MILLI;
        orphanNanos = (tuning.heartbeatTimeout() + tuning.slotTimeout() + beats + tuning.callDeadline() + LATE_MILLIS)
                * VirtualTime.MILLI;
    }

    /**
     * Lets a world that is left alone go on and looks each second.
     *
     * @throws Ledger.Violation when a job holds more than it declared for too long
     */
    public void watch(long nanos) {
        long until = world.time.now() + nanos;
        while (world.time.now() < until) {
            world.runFor(Math.min(STEP_NANOS, until - world.time.now()));
            look();
        }
    }

    /** A slot and its worker. */
    private record Held(Worker worker, Slot slot) {}

    private void look() {
        SortedMap<JobId, List<Held>> held = new TreeMap<>();
        for (Worker worker : world.workers()) {
            for (Slot slot : worker.slots().map(SlotReport::slots).orElse(List.of())) {
                held.computeIfAbsent(slot.job(), job -> new ArrayList<>()).add(new Held(worker, slot));
            }
        }
        SortedMap<AllocationId, Long> next = new TreeMap<>();
        held.forEach((job, slots) -> {
            Optional<EndpointRef> leading = jobMaster(job);
            Optional<JobDetails> details = leading.flatMap(this::details);
            List<Held> own = new ArrayList<>();
            for (Held one : slots) {
                if (leading.filter(ref ->
                                new JobMasterId(ref.token()).equals(one.slot().jobMaster()))
                        .isPresent()) {
                    own.add(one);
                } else {
                    should(next, one, orphanNanos, "its JobMaster leads no more");
                }
            }
            details.filter(known ->
                            known.status() == JobStatus.EXECUTING || known.status() == JobStatus.WAITING_FOR_RESOURCES)
                    .ifPresent(known -> own(next, known, own));
        });
        since = next;
    }

    /** What a job has more than it declared, of what is not about to end with its tasks. */
    private void own(SortedMap<AllocationId, Long> next, JobDetails job, List<Held> slots) {
        SortedSet<String> pooled = new TreeSet<>();
        job.slots().forEach(slot -> pooled.add(slot.allocation()));
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (Held one : slots) {
            if (one.slot().tasks() == 0
                    || pooled.contains(one.slot().allocation().toString())) {
                counts.merge(one.slot().group(), 1, Integer::sum);
            }
        }
        job.groups().forEach(group -> counts.merge(group.name(), -group.desired(), Integer::sum));
        for (Held one : slots) {
            if (one.slot().tasks() == 0 && counts.getOrDefault(one.slot().group(), 0) > 0) {
                should(next, one, idleNanos, "nothing runs in it and the job declared " + job.groups());
            }
        }
    }

    private void should(SortedMap<AllocationId, Long> next, Held one, long mostNanos, String why) {
        long now = world.time.now();
        AllocationId allocation = one.slot().allocation();
        long began = since.getOrDefault(allocation, now);
        next.put(allocation, began);
        if (now - began > mostNanos) {
            throw new Ledger.Violation("P2: worker " + one.worker() + " has " + one.slot() + " since "
                    + (now - began) / VirtualTime.SECOND + " s although " + why);
        }
    }

    /** The JobMaster of a job at the process that leads them. */
    private Optional<EndpointRef> jobMaster(JobId job) {
        return world.serving(EndpointName.JOB_MASTERS)
                .flatMap(leader -> at(leader)
                        .flatMap(there ->
                                answered(direct(there).resolve(leader.address(), EndpointName.jobMaster(job)))));
    }

    /** Empty while its process is at work, or stands still. */
    private Optional<JobDetails> details(EndpointRef jobMaster) {
        return at(jobMaster)
                .filter(there -> !there.process().stands())
                .flatMap(there -> there.process()
                        .atOnce(() ->
                                answered(direct(there).jobMaster(jobMaster).details())));
    }

    private Optional<Reachable> at(EndpointRef endpoint) {
        return world.network.reachable().stream()
                .filter(there -> there.rpc().address().equals(endpoint.address()))
                .findFirst();
    }

    /** Calls that take no time and leave no trace. */
    private static CarriedRpc direct(Reachable there) {
        return new CarriedRpc(there.rpc().address(), call -> call.arrive(there.rpc(), CarriedAnswer::deliver), false);
    }

    private static <T> Optional<T> answered(CompletionStage<T> stage) {
        CompletableFuture<T> answer = stage.toCompletableFuture();
        return answer.isDone() && !answer.isCompletedExceptionally() ? Optional.of(answer.join()) : Optional.empty();
    }
}

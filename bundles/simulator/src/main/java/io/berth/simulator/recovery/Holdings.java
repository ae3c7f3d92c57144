package io.berth.simulator.recovery;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.SlotReport.Slot;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.rpc.InProcessAnswer;
import io.berth.core.rpc.InProcessRpc;
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
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Compares what jobs hold, by the tables of the workers, with what they declared last (invariant P2). An unused slot
 * of a group that has more than it declared must be returned within the idle timeout plus the time that messages take.
 * A slot of a JobMaster that no longer leads must end when its worker has noticed that and no other JobMaster took it.
 * Time counts only while the world has no faults, from zero each time: effects of faults do not count.
 */
public final class Holdings {

    private static final long STEP_NANOS = VirtualTime.SECOND;
    /** A JobMaster checks idle slots with each heartbeat. Without any worker this is rare. */
    private static final long SLOWEST_BEAT_MILLIS = 5_000;

    private static final int BEATS = 3;
    /** A replaced leader learns of it this late. */
    private static final long LATE_MILLIS = 30_000;

    private final World world;
    private final long idleNanos;
    private final long orphanNanos;
    private final UnreadResults results;
    /** Since when a slot should have been returned. */
    private SortedMap<AllocationId, Long> since = new TreeMap<>();

    public Holdings(World world) {
        this.world = world;
        Tuning tuning = world.tuning;
        long beats = BEATS * Math.max(SLOWEST_BEAT_MILLIS, tuning.heartbeatInterval());
        idleNanos = (tuning.slotIdleTimeout() + beats + tuning.callDeadline()) * VirtualTime.MILLI;
        orphanNanos = (tuning.heartbeatTimeout() + tuning.slotTimeout() + beats + tuning.callDeadline() + LATE_MILLIS)
                * VirtualTime.MILLI;
        results = new UnreadResults(
                world, orphanNanos, job -> jobMaster(job).map(ref -> ref.token().epoch()));
    }

    /**
     * Runs a world without faults and checks each second.
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
                    should(next, one, orphanNanos, "its JobMaster no longer leads");
                }
            }
            details.filter(known ->
                            known.status() == JobStatus.EXECUTING || known.status() == JobStatus.WAITING_FOR_RESOURCES)
                    .ifPresent(known -> own(next, known, own));
        });
        since = next;
        results.look();
    }

    /** What a job has beyond its declaration, except slots that are about to end with their tasks. */
    private void own(SortedMap<AllocationId, Long> next, JobDetails job, List<Held> slots) {
        SortedMap<String, String> served = new TreeMap<>();
        job.slots().forEach(slot -> served.put(slot.allocation(), slot.group()));
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (Held one : slots) {
            if (one.slot().tasks() == 0
                    || served.containsKey(one.slot().allocation().toString())) {
                counts.merge(group(one.slot(), served), 1, Integer::sum);
            }
        }
        job.groups().forEach(group -> counts.merge(group.name(), -group.desired(), Integer::sum));
        for (Held one : slots) {
            if (one.slot().tasks() == 0 && counts.getOrDefault(group(one.slot(), served), 0) > 0) {
                should(next, one, idleNanos, "nothing runs in it and the job declared " + job.groups());
            }
        }
    }

    /** The group that a slot serves, else the one that it was allocated for. By the loose rule they may differ. */
    private static String group(Slot slot, SortedMap<String, String> served) {
        String group = served.getOrDefault(slot.allocation().toString(), "");
        return group.isEmpty() ? slot.group() : group;
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

    /** The JobMaster of a job in the process that leads them. */
    private Optional<EndpointRef> jobMaster(JobId job) {
        return world.serving(EndpointName.JOB_MASTERS)
                .flatMap(leader -> at(leader)
                        .flatMap(there ->
                                answered(direct(there).resolve(leader.address(), EndpointName.jobMaster(job)))));
    }

    /** Empty while its process is busy or paused. */
    private Optional<JobDetails> details(EndpointRef jobMaster) {
        return at(jobMaster)
                .filter(there -> !there.process().isPaused())
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
    private static InProcessRpc direct(Reachable there) {
        return new InProcessRpc(
                there.rpc().address(), call -> call.arrive(there.rpc(), InProcessAnswer::deliver), false);
    }

    private static <T> Optional<T> answered(CompletionStage<T> stage) {
        CompletableFuture<T> answer = stage.toCompletableFuture();
        return answer.isDone() && !answer.isCompletedExceptionally() ? Optional.of(answer.join()) : Optional.empty();
    }
}

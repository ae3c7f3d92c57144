package io.berth.worker;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The dynamic slots of a worker (FLIP-6, FLIP-56): allocated within the worker's total, which the sum of all slots never
 * exceeds. A slot goes from ALLOCATED to ACTIVE when its JobMaster takes it, back to ALLOCATED when the JobMaster is
 * lost, and to RELEASING while tasks end in a slot that was freed. An ALLOCATED slot lives on a timer; a timer that was
 * set before the last change of state has no effect.
 *
 * <p>Belongs to the main thread of the TaskExecutor.
 */
final class SlotTable {

    enum State {
        ALLOCATED,
        ACTIVE,
        RELEASING
    }

    private final ResourceProfile total;
    private final MainThread mainThread;
    private final long timeoutMillis;
    private final Consumer<Slot> onTimeout;
    private final SortedMap<AllocationId, Slot> slots = new TreeMap<>();
    private ResourceProfile free;
    private long tickets;

    /**
     * @param timeoutMillis how long a slot may be allocated without becoming active
     * @param onTimeout frees the slot that no JobMaster took
     */
    SlotTable(ResourceProfile total, MainThread mainThread, long timeoutMillis, Consumer<Slot> onTimeout) {
        this.total = total;
        this.free = total;
        this.mainThread = mainThread;
        this.timeoutMillis = timeoutMillis;
        this.onTimeout = onTimeout;
    }

    /**
     * Allocates a slot; a repeated request of the same allocation, job and profile changes nothing.
     *
     * @return empty when granted, else why not
     */
    String allocate(SlotRequest request, JobMasterId jobMaster) {
        mainThread.assertCurrent();
        ResourceProfile profile = request.profile();
        Slot present = slots.get(request.allocation());
        if (present != null) {
            boolean same = present.request.job().equals(request.job())
                    && present.request.profile().equals(profile)
                    && present.state != State.RELEASING;
            return same ? "" : "allocation " + request.allocation() + " is " + present.state + " for job "
                    + present.request.job() + " with " + present.request.profile();
        }
        if (profile.isUnknown() || profile.equals(ResourceProfile.ZERO)) {
            return "profile of allocation " + request.allocation() + " is " + profile
                    + ": a slot needs a known size above zero";
        }
        if (!free.covers(profile)) {
            return "allocation " + request.allocation() + " needs " + profile + "; free is " + free + " of " + total;
        }
        Slot slot = new Slot(request, jobMaster);
        slots.put(request.allocation(), slot);
        free = free.minus(profile);
        startTimer(slot);
        return "";
    }

    Optional<Slot> slot(AllocationId allocation) {
        return Optional.ofNullable(slots.get(allocation));
    }

    /** The slot, when that job and JobMaster own it and it is not being released. */
    Optional<Slot> owned(AllocationId allocation, JobId job, JobMasterId jobMaster) {
        return slot(allocation)
                .filter(slot -> slot.request.job().equals(job)
                        && slot.jobMaster.equals(jobMaster)
                        && slot.state != State.RELEASING);
    }

    /** The slots of a job that are not being released. */
    List<Slot> ofJob(JobId job) {
        return slots.values().stream()
                .filter(slot -> slot.request.job().equals(job) && slot.state != State.RELEASING)
                .toList();
    }

    List<Slot> all() {
        return List.copyOf(slots.values());
    }

    boolean isEmpty() {
        return slots.isEmpty();
    }

    /** Whether the job has a slot here, in any state. */
    boolean holds(JobId job) {
        return slots.values().stream().anyMatch(slot -> slot.request.job().equals(job));
    }

    /** The JobMaster took the slot, or uses it. */
    void activate(Slot slot) {
        mainThread.assertCurrent();
        slot.stopTimer();
        slot.state = State.ACTIVE;
        slot.unlisted = 0;
    }

    /** The JobMaster of a job is lost or another one: its slots wait for it on a new timer. */
    void await(JobId job, JobMasterId jobMaster) {
        mainThread.assertCurrent();
        for (Slot slot : ofJob(job)) {
            slot.state = State.ALLOCATED;
            slot.jobMaster = jobMaster;
            startTimer(slot);
        }
    }

    /**
     * Frees a slot: at once without tasks, else when the last of them ends.
     *
     * @return whether it is gone
     */
    boolean free(Slot slot) {
        mainThread.assertCurrent();
        slot.stopTimer();
        slot.state = State.RELEASING;
        return removeWhenUnused(slot);
    }

    void addTask(Slot slot, AttemptId attempt) {
        slot.tasks.add(attempt);
    }

    /**
     * A task has ended.
     *
     * @return the slot when it was being released and is gone now
     */
    Optional<Slot> removeTask(AllocationId allocation, AttemptId attempt) {
        mainThread.assertCurrent();
        Optional<Slot> slot = slot(allocation);
        slot.ifPresent(present -> present.tasks.remove(attempt));
        return slot.filter(present -> present.state == State.RELEASING && removeWhenUnused(present));
    }

    private boolean removeWhenUnused(Slot slot) {
        if (!slot.tasks.isEmpty()) {
            return false;
        }
        if (slots.remove(slot.request.allocation(), slot)) {
            free = free.plus(slot.request.profile());
        }
        return true;
    }

    ResourceProfile freeProfile() {
        return free;
    }

    /** All slots; those being released are in it, for they still take room. */
    SlotReport report() {
        mainThread.assertCurrent();
        List<SlotReport.Slot> report = new ArrayList<>();
        for (Slot slot : slots.values()) {
            SlotRequest request = slot.request;
            report.add(new SlotReport.Slot(
                    request.allocation(), request.job(), slot.jobMaster, request.unit(), request.group(),
                    request.profile(), slot.state != State.ALLOCATED, slot.tasks.size(), request.decision()));
        }
        return new SlotReport(report);
    }

    void close() {
        slots.values().forEach(Slot::stopTimer);
    }

    private void startTimer(Slot slot) {
        slot.stopTimer();
        long ticket = ++tickets;
        slot.ticket = ticket;
        slot.timer = Optional.of(mainThread.schedule(timeoutMillis, () -> {
            if (slot.ticket == ticket) {
                onTimeout.accept(slot);
            }
        }));
    }

    /** One slot. */
    static final class Slot {

        private final SlotRequest request;
        private final SortedSet<AttemptId> tasks = new TreeSet<>();
        private JobMasterId jobMaster;
        private State state = State.ALLOCATED;
        private long ticket;
        private Optional<Timers.Cancellable> timer = Optional.empty();
        private int unlisted;

        private Slot(SlotRequest request, JobMasterId jobMaster) {
            this.request = request;
            this.jobMaster = jobMaster;
        }

        AllocationId allocation() {
            return request.allocation();
        }

        JobId job() {
            return request.job();
        }

        State state() {
            return state;
        }

        SlotOffer offer() {
            return new SlotOffer(
                    request.allocation(), request.unit(), request.group(), request.profile(), request.decision());
        }

        /** Counts heartbeats in a row in which the JobMaster did not list the slot. */
        int unlisted(boolean listed) {
            unlisted = listed ? 0 : unlisted + 1;
            return unlisted;
        }

        private void stopTimer() {
            ticket = 0;
            timer.ifPresent(Timers.Cancellable::cancel);
            timer = Optional.empty();
        }

        @Override
        public String toString() {
            return "slot " + request.allocation() + " of job " + request.job() + " (" + state + ")";
        }
    }
}

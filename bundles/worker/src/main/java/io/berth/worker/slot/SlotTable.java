package io.berth.worker.slot;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.time.MainThread;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The dynamic slots of a worker (FLIP-6, FLIP-56): allocated within the worker's total, which the sum of all slots
 * never exceeds. A slot goes from ALLOCATED to ACTIVE when its JobMaster accepts it, back to ALLOCATED when the
 * JobMaster is lost, and to RELEASING while tasks end in a slot that was freed. An ALLOCATED slot lives on a timer; a
 * timer that was set before the last change of state has no effect. A need without a size gets the worker's default
 * slot.
 *
 * <p>Confined to the main thread of the TaskExecutor.
 */
public final class SlotTable {

    /** Bounds the number of slots that a worker stores and reports. */
    static final int MAX_SLOTS = 10_000;

    private final ResourceProfile total;
    private final ResourceProfile defaultSlot;
    private final MainThread mainThread;
    private final long timeoutMillis;
    private final Consumer<Slot> onTimeout;
    private final SortedMap<AllocationId, Slot> slots = new TreeMap<>();
    private final FormerAllocations former = new FormerAllocations();
    private ResourceProfile free;

    /**
     * @param defaultSlots how many default slots the total divides into
     * @param timeoutMillis how long a slot may be allocated without becoming active
     * @param onTimeout frees a slot that no JobMaster accepted
     */
    public SlotTable(
            ResourceProfile total,
            int defaultSlots,
            MainThread mainThread,
            long timeoutMillis,
            Consumer<Slot> onTimeout) {
        this.total = total;
        this.defaultSlot = total.dividedBy(defaultSlots);
        this.free = total;
        this.mainThread = mainThread;
        this.timeoutMillis = timeoutMillis;
        this.onTimeout = onTimeout;
    }

    /**
     * Allocates a slot; a repeated request of the same allocation, job and profile changes nothing. An answer is
     * final: an allocation that was refused or freed is never granted again, so a late or repeated message has no
     * effect.
     *
     * @return empty when granted, otherwise the reason
     */
    public String allocate(SlotRequest request) {
        mainThread.assertCurrent();
        AllocationId allocation = request.allocation();
        ResourceProfile profile = request.profile().isUnknown() ? defaultSlot : request.profile();
        Slot present = slots.get(allocation);
        if (present != null) {
            boolean same = present.job().equals(request.job())
                    && present.profile().equals(profile)
                    && present.state() != Slot.State.RELEASING;
            return same
                    ? ""
                    : "allocation " + allocation + " is " + present.state() + " for job " + present.job() + " with "
                            + present.profile();
        }
        Optional<String> before = former.end(allocation);
        if (before.isPresent()) {
            return "allocation " + allocation + " has ended here: " + before.get();
        }
        String refusal = refusal(allocation, profile);
        if (refusal.isEmpty()) {
            Slot slot = new Slot(request, profile, mainThread);
            slots.put(allocation, slot);
            free = free.minus(profile);
            startTimer(slot);
        } else {
            former.add(allocation, refusal);
        }
        return refusal;
    }

    private String refusal(AllocationId allocation, ResourceProfile profile) {
        if (profile.equals(ResourceProfile.ZERO)) {
            return "profile of allocation " + allocation + " is " + profile + ": a slot needs a size above zero";
        }
        if (slots.size() >= MAX_SLOTS) {
            return "the worker has " + slots.size() + " slots: no more are allowed";
        }
        return free.covers(profile)
                ? ""
                : "allocation " + allocation + " needs " + profile + "; free is " + free + " of " + total;
    }

    /** The request was refused for good for a reason outside the table. */
    public void refused(AllocationId allocation, String refusal) {
        if (!slots.containsKey(allocation)) {
            former.add(allocation, refusal);
        }
    }

    public Optional<Slot> slot(AllocationId allocation) {
        return Optional.ofNullable(slots.get(allocation));
    }

    /** The slot, when that job and JobMaster own it and it is not being released. */
    public Optional<Slot> owned(AllocationId allocation, JobId job, JobMasterId jobMaster) {
        return slot(allocation)
                .filter(slot -> slot.job().equals(job)
                        && slot.jobMaster().equals(jobMaster)
                        && slot.state() != Slot.State.RELEASING);
    }

    /** The slots of a job that are not being released. */
    public List<Slot> ofJob(JobId job) {
        return slots.values().stream()
                .filter(slot -> slot.job().equals(job) && slot.state() != Slot.State.RELEASING)
                .toList();
    }

    public boolean isEmpty() {
        return slots.isEmpty();
    }

    /** Whether the job has a slot here, in any state. */
    public boolean holds(JobId job) {
        return slots.values().stream().anyMatch(slot -> slot.job().equals(job));
    }

    /** The JobMaster accepted the slot, or uses it. */
    public void activate(Slot slot) {
        mainThread.assertCurrent();
        slot.become(Slot.State.ACTIVE);
    }

    /**
     * The JobMaster of a job is lost or replaced: its slots wait for the next one, on a new timer unless they waited
     * for the same one already.
     */
    public void await(JobId job, EndpointRef jobMaster) {
        mainThread.assertCurrent();
        JobMasterId next = new JobMasterId(jobMaster.token());
        for (Slot slot : ofJob(job)) {
            boolean waited =
                    slot.state() == Slot.State.ALLOCATED && slot.jobMaster().equals(next);
            slot.setOwner(jobMaster);
            if (!waited) {
                slot.become(Slot.State.ALLOCATED);
                startTimer(slot);
            }
        }
    }

    /**
     * Frees a slot: at once without tasks, otherwise when the last one ends.
     *
     * @return whether the slot is removed
     */
    public boolean free(Slot slot, String cause) {
        mainThread.assertCurrent();
        slot.become(Slot.State.RELEASING);
        former.add(slot.allocation(), cause);
        return removeWhenUnused(slot);
    }

    /**
     * A task has ended.
     *
     * @return the slot if it was being released and is removed now
     */
    public Optional<Slot> removeTask(AllocationId allocation, AttemptId attempt) {
        mainThread.assertCurrent();
        Optional<Slot> slot = slot(allocation);
        slot.ifPresent(present -> present.ended(attempt));
        return slot.filter(present -> present.state() == Slot.State.RELEASING && removeWhenUnused(present));
    }

    private boolean removeWhenUnused(Slot slot) {
        if (slot.tasks() > 0) {
            return false;
        }
        if (slots.remove(slot.allocation(), slot)) {
            free = free.plus(slot.profile());
        }
        return true;
    }

    /**
     * All slots, including those being released, because they still occupy room.
     *
     * @param results number of results that the worker keeps
     */
    public SlotReport report(int results) {
        mainThread.assertCurrent();
        List<SlotReport.Slot> report = new ArrayList<>();
        slots.values().forEach(slot -> report.add(slot.report()));
        return new SlotReport(report, results);
    }

    /** The requests that restore the slots in another process. */
    public List<SlotRequest> kept() {
        mainThread.assertCurrent();
        return slots.values().stream()
                .filter(slot -> slot.state() != Slot.State.RELEASING)
                .map(Slot::request)
                .toList();
    }

    private void startTimer(Slot slot) {
        slot.startTimer(timeoutMillis, () -> onTimeout.accept(slot));
    }
}

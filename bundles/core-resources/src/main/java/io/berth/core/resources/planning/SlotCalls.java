package io.berth.core.resources.planning;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotPurpose;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.blocklist.BlockList;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Allocations;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.SlotGrant;
import io.berth.core.resources.state.WorkerConnection;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the granted slots of a plan, one call for each worker, and acts on the answers (FLIP-6). A refused slot is
 * planned again as another allocation, and its worker is blocked for a time. Confined to the main thread.
 */
final class SlotCalls {

    private static final Logger LOG = LoggerFactory.getLogger(SlotCalls.class);

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Clock clock;
    private final Supplier<ResourceSettings> settings;
    private final WorkerRegistry workers;
    private final Allocations allocations;
    private final BlockList blockList;

    SlotCalls(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            Supplier<ResourceSettings> settings,
            WorkerRegistry workers,
            Allocations allocations,
            BlockList blockList) {
        this.id = id;
        this.mainThread = mainThread;
        this.clock = clock;
        this.settings = settings;
        this.workers = workers;
        this.allocations = allocations;
        this.blockList = blockList;
    }

    /** The slots that are requested from one worker, in the order in which they were granted. */
    private static final class Batch {

        private static final SlotEntry[] NONE = {};
        private static final AllocationId[] NO_ALLOCATIONS = {};
        private static final SlotPurpose[] NO_PURPOSES = {};

        private final WorkerEntry worker;
        private SlotEntry[] slots = NONE;
        private AllocationId[] allocations = NO_ALLOCATIONS;
        private SlotPurpose[] purposes = NO_PURPOSES;
        private int count;

        Batch(WorkerEntry worker) {
            this.worker = worker;
        }

        /** Allocates arrays for the counted slots. */
        private void open() {
            slots = new SlotEntry[count];
            allocations = new AllocationId[count];
            purposes = new SlotPurpose[count];
            count = 0;
        }

        private void add(SlotEntry slot, SlotPurpose purpose) {
            slots[count] = slot;
            allocations[count] = slot.allocation;
            purposes[count++] = purpose;
        }
    }

    void request(List<SlotEntry> granted) {
        List<Batch> batches = batches(granted);
        batches.forEach(batch -> batch.worker.batch(-1));
        for (Batch batch : batches) {
            batch.worker.idleSince(-1);
            request(batch);
        }
    }

    /**
     * By worker, in the order of the first slot of each. Slots are counted first, so that arrays have the exact size.
     */
    private static List<Batch> batches(List<SlotEntry> granted) {
        if (granted.isEmpty()) {
            return List.of();
        }
        List<Batch> batches = new ArrayList<>();
        for (SlotEntry slot : granted) {
            if (slot.worker.batch() < 0) {
                slot.worker.batch(batches.size());
                batches.add(new Batch(slot.worker));
            }
            batches.get(slot.worker.batch()).count++;
        }
        SlotGrant grant = granted.get(0).grant();
        SlotPurpose purpose = purpose(grant);
        for (SlotEntry slot : granted) {
            Batch batch = batches.get(slot.worker.batch());
            if (batch.slots.length == 0) {
                batch.open();
            }
            // Slots of one grant are consecutive.
            if (slot.grant() != grant) {
                grant = slot.grant();
                purpose = purpose(grant);
            }
            batch.add(slot, purpose);
        }
        return batches;
    }

    private static SlotPurpose purpose(SlotGrant grant) {
        return new SlotPurpose(
                grant.job().id,
                // A declared unit has a JobMaster, at least a lost one whose requirements are kept.
                grant.job().target().orElseThrow().endpoint(),
                grant.kind().group().unit(),
                grant.kind().group().group(),
                grant.kind().profile(),
                grant.decision());
    }

    private void request(Batch batch) {
        WorkerConnection connection = batch.worker.connection().orElseThrow();
        LOG.debug("{}: requesting {} slots", batch.worker, batch.count);
        mainThread.whenComplete(
                connection.gateway().requestSlots(SlotRequests.of(id, batch.allocations, batch.purposes)),
                (answers, failure) -> answered(batch.worker, connection, batch.slots, answers, failure));
    }

    private void answered(
            WorkerEntry worker,
            WorkerConnection connection,
            SlotEntry[] slots,
            SlotRequestAnswers answers,
            Throwable failure) {
        if (!worker.isInstance(connection.instance()) || !workers.contains(worker)) {
            return;
        }
        String refusal;
        Predicate<SlotEntry> granted;
        if (failure != null) {
            connection.monitor().callFailed(failure, settings.get().heartbeat());
            refusal = "no answer: " + Failures.text(failure);
            granted = slot -> false;
        } else {
            connection.monitor().heard();
            refusal = refusal(answers);
            granted = refusal.isEmpty() && inOrder(slots, answers) ? slot -> true : named(answers);
        }
        int lost = 0;
        long now = clock.millis();
        for (SlotEntry slot : slots) {
            if (granted.test(slot)) {
                allocations.acknowledge(slot, worker.heartbeat(), now);
            } else if (slot.state() == SlotEntry.State.PENDING) {
                allocations.remove(slot);
                lost++;
            }
        }
        if (lost > 0) {
            LOG.warn("{}: {} of {} slots were not granted: {}", worker, lost, slots.length, refusal);
            blockList.block(worker.id(), settings.get().refusalBackOffMillis(worker.countRefusal()));
        } else {
            worker.granted();
        }
    }

    /** The last refusal; empty if all slots were granted. */
    private static String refusal(SlotRequestAnswers answers) {
        List<SlotRequestAnswer> all = answers.answers();
        // By index, here and below: each request of each decision comes by here, and an iterator is garbage.
        for (int at = all.size() - 1; at >= 0; at--) {
            if (!all.get(at).granted()) {
                return all.get(at).refusal();
            }
        }
        return "";
    }

    private static boolean inOrder(SlotEntry[] slots, SlotRequestAnswers answers) {
        List<SlotRequestAnswer> all = answers.answers();
        if (slots.length != all.size()) {
            return false;
        }
        for (int at = 0; at < slots.length; at++) {
            if (!all.get(at).allocation().equals(slots[at].allocation)) {
                return false;
            }
        }
        return true;
    }

    private static Predicate<SlotEntry> named(SlotRequestAnswers answers) {
        SortedSet<AllocationId> granted = new TreeSet<>();
        for (SlotRequestAnswer answer : answers.answers()) {
            if (answer.granted()) {
                granted.add(answer.allocation());
            }
        }
        return slot -> granted.contains(slot.allocation);
    }
}

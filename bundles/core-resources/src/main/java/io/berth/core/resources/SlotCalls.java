package io.berth.core.resources;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests from workers the slots that a plan gave out, one call to each, and acts on the answers (FLIP-6). A slot that
 * was not granted is requested anew, as another allocation; its worker takes none for a while. Confined to the main
 * thread.
 */
final class SlotCalls {

    private static final Logger LOG = LoggerFactory.getLogger(SlotCalls.class);

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Clock clock;
    private final Supplier<ResourceSettings> settings;
    private final WorkerRegistry workers;
    private final RequirementLedger ledger;
    private final BlockList blockList;
    private final Runnable check;

    SlotCalls(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            Supplier<ResourceSettings> settings,
            WorkerRegistry workers,
            RequirementLedger ledger,
            BlockList blockList,
            Runnable check) {
        this.id = id;
        this.mainThread = mainThread;
        this.clock = clock;
        this.settings = settings;
        this.workers = workers;
        this.ledger = ledger;
        this.blockList = blockList;
        this.check = check;
    }

    void request(List<PlanCommit.Granted> granted) {
        Map<WorkerEntry, List<SlotRequest>> byWorker = new LinkedHashMap<>();
        for (PlanCommit.Granted grant : granted) {
            grant.worker().idleSince(-1);
            // A declared unit has a JobMaster, if only a lost one whose requirements are kept.
            JobEntry.Master master = grant.unit().job.target().orElseThrow();
            byWorker.computeIfAbsent(grant.worker(), worker -> new ArrayList<>())
                    .add(new SlotRequest(
                            grant.slot().allocation,
                            grant.slot().job,
                            master.endpoint(),
                            grant.slot().group.unit(),
                            grant.slot().group.group(),
                            grant.slot().profile,
                            grant.slot().decision));
        }
        byWorker.forEach((worker, requests) -> {
            WorkerConnection connection = worker.connection().orElseThrow();
            LOG.debug("{}: requesting {} slots", worker, requests.size());
            mainThread.whenComplete(
                    connection.gateway().requestSlots(new SlotRequests(id, requests)),
                    (answers, failure) -> answered(worker, connection, requests, answers, failure));
        });
    }

    private void answered(
            WorkerEntry worker,
            WorkerConnection connection,
            List<SlotRequest> requests,
            SlotRequestAnswers answers,
            Throwable failure) {
        if (!worker.isInstance(connection.instance()) || !workers.contains(worker)) {
            return;
        }
        SortedSet<AllocationId> granted = new TreeSet<>();
        String refusal = "";
        if (failure != null) {
            worker.pulse().failed();
            refusal = "no answer: " + failure.getMessage();
        } else {
            worker.pulse().heard(clock.millis());
            for (SlotRequestAnswer answer : answers.answers()) {
                if (answer.granted()) {
                    granted.add(answer.allocation());
                } else {
                    refusal = answer.refusal();
                }
            }
        }
        int lost = 0;
        for (SlotRequest request : requests) {
            Optional<SlotEntry> slot = worker.slot(request.allocation());
            if (slot.isEmpty()) {
                continue;
            }
            if (granted.contains(request.allocation())) {
                ledger.acknowledged(slot.get(), worker.heartbeat());
            } else if (slot.get().state() == SlotEntry.State.PENDING) {
                workers.removeSlot(worker, slot.get());
                ledger.lost(slot.get());
                lost++;
            }
        }
        if (lost > 0) {
            LOG.warn("{}: {} of {} slots were not granted: {}", worker, lost, requests.size(), refusal);
            // Not asked again at once (reference 7.23).
            blockList.block(worker.id(), settings.get().refusalBackOffMillis(worker.refused()));
            check.run();
        } else {
            worker.granted();
        }
    }
}

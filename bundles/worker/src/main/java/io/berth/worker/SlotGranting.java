package io.berth.worker;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.rpc.Failures;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import io.berth.worker.connection.JobConnection;
import io.berth.worker.connection.ResourceManagerConnection;
import io.berth.worker.slot.Slot;
import io.berth.worker.slot.SlotTable;
import io.berth.worker.store.KeptAllocations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Grants slots to the ResourceManager that the worker is registered at. A slot is granted and offered only after its
 * allocation is stored. Confined to the main thread of the TaskExecutor.
 */
final class SlotGranting {

    private static final Logger LOG = LoggerFactory.getLogger(SlotGranting.class);

    private final WorkerId worker;
    private final SlotTable slots;
    private final KeptAllocations kept;
    private final ResourceManagerConnection resourceManager;
    private final JobConnections jobs;
    private final SlotRelease release;
    private final BooleanSupplier ending;

    /** @param ending whether the worker accepts nothing new */
    SlotGranting(
            WorkerId worker,
            SlotTable slots,
            KeptAllocations kept,
            ResourceManagerConnection resourceManager,
            JobConnections jobs,
            SlotRelease release,
            BooleanSupplier ending) {
        this.worker = worker;
        this.slots = slots;
        this.kept = kept;
        this.resourceManager = resourceManager;
        this.jobs = jobs;
        this.release = release;
        this.ending = ending;
    }

    /** Allocates slots within the free room; completes when their allocations are stored. */
    CompletionStage<SlotRequestAnswers> request(SlotRequests requests) {
        Map<AllocationId, String> refusals = new LinkedHashMap<>();
        boolean unkept = false;
        for (SlotRequest request : requests.requests()) {
            String refusal = request(requests.resourceManager(), request);
            refusals.put(request.allocation(), refusal);
            if (refusal.isEmpty()) {
                jobs.towards(request);
                unkept |= !slots.slot(request.allocation()).orElseThrow().isKept();
            } else {
                LOG.info(
                        "worker {}: slot {} for job {} refused: {}",
                        worker,
                        request.allocation(),
                        request.job(),
                        refusal);
            }
        }
        if (!unkept) {
            return CompletableFuture.completedStage(granted(requests, refusals));
        }
        CompletionStage<Optional<Throwable>> written =
                kept.write().handle((nothing, failure) -> Optional.ofNullable(failure));
        return written.thenApply(failure -> {
            failure.ifPresent(cause -> notKept(refusals, cause));
            return granted(requests, refusals);
        });
    }

    private String request(ResourceManagerId from, SlotRequest request) {
        if (!resourceManager.isFrom(from)) {
            return "worker " + worker + " is not registered at ResourceManager " + from;
        }
        String refusal = "";
        if (ending.getAsBoolean()) {
            refusal = "worker " + worker + " is ending";
        } else {
            refusal = jobs.of(request.job())
                    .filter(present -> present.jobMaster()
                                    .token()
                                    .compareTo(request.jobMaster().token())
                            > 0)
                    .map(present -> "job " + request.job() + " is led by the newer JobMaster " + present.jobMaster())
                    .orElse("");
        }
        if (refusal.isEmpty()) {
            return slots.allocate(request);
        }
        slots.refused(request.allocation(), refusal);
        return refusal;
    }

    private SlotRequestAnswers granted(SlotRequests requests, Map<AllocationId, String> refusals) {
        SortedMap<JobId, JobConnection> touched = new TreeMap<>();
        for (SlotRequest request : requests.requests()) {
            if (Objects.requireNonNull(refusals.get(request.allocation())).isEmpty()) {
                Optional<Slot> slot =
                        slots.slot(request.allocation()).filter(present -> present.state() != Slot.State.RELEASING);
                slot.ifPresent(Slot::kept);
                if (slot.isEmpty()) {
                    refusals.put(request.allocation(), "it was freed before it was granted");
                }
                jobs.of(request.job()).ifPresent(connection -> touched.put(request.job(), connection));
            }
        }
        touched.values().forEach(JobConnection::offer);
        List<SlotRequestAnswer> answers = requests.requests().stream()
                .map(request -> new SlotRequestAnswer(
                        request.allocation(), Objects.requireNonNull(refusals.get(request.allocation()))))
                .toList();
        return new SlotRequestAnswers(answers);
    }

    private void notKept(Map<AllocationId, String> refusals, Throwable failure) {
        String refusal =
                "worker " + worker + " cannot keep the allocation, so it is not granted: " + Failures.text(failure);
        refusals.replaceAll((allocation, before) -> {
            Optional<Slot> slot = slots.slot(allocation).filter(present -> !present.isKept());
            if (!before.isEmpty() || slot.isEmpty()) {
                return before;
            }
            release.free(slot.get(), refusal);
            jobs.of(slot.get().job()).ifPresent(JobConnection::endUnlessNeeded);
            return refusal;
        });
    }

    /** Restores the slots of the previous process, as far as there is room. */
    void restore(List<SlotRequest> allocations) {
        for (SlotRequest allocation : allocations) {
            String refusal = slots.allocate(allocation);
            if (refusal.isEmpty()) {
                slots.slot(allocation.allocation()).ifPresent(Slot::kept);
                jobs.towards(allocation);
                LOG.info("worker {}: restores slot {} of job {}", worker, allocation.allocation(), allocation.job());
            } else {
                LOG.warn(
                        "worker {}: cannot restore slot {} of job {}: {}",
                        worker,
                        allocation.allocation(),
                        allocation.job(),
                        refusal);
            }
        }
        if (!allocations.isEmpty()) {
            kept.changed();
        }
    }
}

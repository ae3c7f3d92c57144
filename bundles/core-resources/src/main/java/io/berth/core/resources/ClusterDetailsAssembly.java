package io.berth.core.resources;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.PoolFigures;
import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.time.Clock;
import io.berth.core.resources.backends.SpecReports;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.state.ClusterSums;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.WorkerConnection;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerEntry.Leaving;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Describes workers and slots for users. */
final class ClusterDetailsAssembly {

    private ClusterDetailsAssembly() {}

    static ClusterDetails of(
            ClusterQuery query,
            WorkerRegistry workers,
            WorkerDemand backends,
            Function<WorkerId, Optional<WorkerBlock>> blocks,
            Clock clock) {
        List<WorkerDetails> workerDetails = new ArrayList<>();
        List<SlotDetails> slotDetails = new ArrayList<>();
        Optional<WorkerId> next = Optional.empty();
        Optional<WorkerId> last = Optional.empty();
        for (WorkerEntry worker : query.workers() == 0 ? List.<WorkerEntry>of() : workers.after(query.after())) {
            if (workerDetails.size() >= query.workers() || query.slots() > 0 && slotDetails.size() >= query.slots()) {
                next = last;
                break;
            }
            last = Optional.of(worker.id());
            workerDetails.add(of(worker, blocks.apply(worker.id()), backends.reports(), clock));
            if (query.slots() > 0) {
                worker.slots().forEach(slot -> slotDetails.add(of(worker, slot)));
            }
        }
        SortedMap<String, Integer> workerStates = new TreeMap<>();
        SortedMap<String, Integer> slotStates = new TreeMap<>();
        SortedMap<String, PoolFigures> figures = new TreeMap<>();
        if (query.after().isEmpty()) {
            for (WorkerEntry worker : workers.after(Optional.empty())) {
                workerStates.merge(state(worker.state()), 1, Integer::sum);
                figures.merge(worker.pool().name(), figures(worker), ClusterDetailsAssembly::sum);
                worker.slots().forEach(slot -> slotStates.merge(state(slot.state()), 1, Integer::sum));
            }
        }
        if (query.after().isEmpty()) {
            backends.pools()
                    .forEach(pool -> figures.putIfAbsent(pool.name(), new PoolFigures(pool.name(), 0, 0, 0, 0, 0, 0)));
        }
        return new ClusterDetails(
                workerDetails,
                slotDetails,
                next,
                workerStates,
                slotStates,
                figures.values().stream()
                        .map(pool -> pool.withSpecs(backends.specDetails(pool.pool())))
                        .toList());
    }

    private static PoolFigures figures(WorkerEntry worker) {
        if (worker.state() == WorkerEntry.State.RELEASING) {
            return new PoolFigures(worker.pool().name(), 0, worker.slots().size(), 0, 0, 0, 0);
        }
        ResourceProfile free = worker.usable() ? worker.free() : ResourceProfile.ZERO;
        return new PoolFigures(
                worker.pool().name(),
                1,
                worker.slots().size(),
                worker.total().cpuMillis(),
                ClusterSums.memory(worker.total()),
                free.cpuMillis(),
                ClusterSums.memory(free));
    }

    private static PoolFigures sum(PoolFigures one, PoolFigures other) {
        return new PoolFigures(
                one.pool(),
                one.workers() + other.workers(),
                one.slots() + other.slots(),
                one.cpuMillis() + other.cpuMillis(),
                one.memoryBytes() + other.memoryBytes(),
                one.freeCpuMillis() + other.freeCpuMillis(),
                one.freeMemoryBytes() + other.freeMemoryBytes());
    }

    private static String state(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static SlotDetails of(WorkerEntry worker, SlotEntry slot) {
        return new SlotDetails(
                slot.allocation.toString(),
                worker.id().value(),
                slot.job().id.value(),
                slot.kind().group().unit(),
                slot.kind().group().group(),
                slot.kind().profile().toString(),
                state(slot.state()),
                slot.decision());
    }

    private static WorkerDetails of(WorkerEntry worker, Optional<WorkerBlock> block, SpecReports reports, Clock clock) {
        boolean requested = worker.state() == WorkerEntry.State.PENDING && !worker.named();
        return new WorkerDetails(
                worker.id().value(),
                state(worker.state()),
                worker.backend,
                worker.spec,
                worker.connection()
                        .map(by -> by.endpoint().address().toString())
                        .orElse(""),
                worker.total().toString(),
                worker.free().toString(),
                worker.defaultSlots(),
                worker.connection().map(WorkerConnection::registeredMillis).orElse(0L),
                worker.connection().map(by -> by.monitor().silentMillis()).orElse(0L),
                worker.labels().labels(),
                worker.labels().taints(),
                block.map(WorkerBlock::millis).orElse(0L),
                block.map(WorkerBlock::reason).orElse(""),
                worker.leaving().map(Leaving::reason).orElse(""),
                worker.leaving()
                        .map(leaving -> leaving.left(clock))
                        .filter(WorkerLeave::hasDeadline)
                        .map(WorkerLeave::millis)
                        .orElse(-1L),
                requested ? reports.queued(worker.kind) : "",
                requested ? reports.queuedMillis(worker.kind) : 0,
                worker.pool().name(),
                worker.origin().costPerHour(),
                worker.results());
    }
}

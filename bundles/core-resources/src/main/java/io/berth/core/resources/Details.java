package io.berth.core.resources;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.WorkerConnection;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Workers and slots for people. */
final class Details {

    private Details() {}

    static ClusterDetails of(WorkerRegistry workers, Function<WorkerId, Optional<WorkerBlock>> blocks, long now) {
        List<WorkerDetails> workerDetails = new ArrayList<>();
        List<SlotDetails> slotDetails = new ArrayList<>();
        for (WorkerEntry worker : workers.all()) {
            workerDetails.add(of(worker, blocks.apply(worker.id()), now));
            for (SlotEntry slot : worker.slots()) {
                slotDetails.add(new SlotDetails(
                        slot.allocation.toString(),
                        worker.id().value(),
                        slot.job().id.value(),
                        slot.kind().group().unit(),
                        slot.kind().group().group(),
                        slot.kind().profile().toString(),
                        slot.state().name().toLowerCase(Locale.ROOT),
                        slot.decision()));
            }
        }
        return new ClusterDetails(workerDetails, slotDetails);
    }

    private static WorkerDetails of(WorkerEntry worker, Optional<WorkerBlock> block, long now) {
        return new WorkerDetails(
                worker.id().value(),
                worker.state().name().toLowerCase(Locale.ROOT),
                worker.backend,
                worker.spec,
                worker.connection()
                        .map(by -> by.endpoint().address().toString())
                        .orElse(""),
                worker.total().toString(),
                worker.free().toString(),
                worker.defaultSlots(),
                worker.connection().map(WorkerConnection::registeredMillis).orElse(0L),
                worker.connection().map(by -> worker.pulse().age(now)).orElse(0L),
                worker.labels(),
                block.map(WorkerBlock::millis).orElse(0L),
                block.map(WorkerBlock::reason).orElse(""));
    }
}

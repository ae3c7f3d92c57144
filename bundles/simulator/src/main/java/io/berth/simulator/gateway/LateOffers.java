package io.berth.simulator.gateway;

import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.simulator.time.Incarnation;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * After some offers of a worker, an older offer arrives at the JobMaster again, with slots that may have ended since.
 */
public final class LateOffers implements WatchedJobMaster.Watcher {

    /** What a worker has offered since it registered. A JobMaster forgets it when the connection ends. */
    private static final class Connection {
        private final WorkerSessionId session;
        /** The last offer of each allocation. */
        private final SortedMap<AllocationId, SlotOffers> offers = new TreeMap<>();

        Connection(WorkerSessionId session) {
            this.session = session;
        }
    }

    /** One in this many offers is followed by an older one. */
    private static final int EACH = 3;

    private final Incarnation process;
    private final LateMessages lateWords;
    private final SortedMap<WorkerId, Connection> connections = new TreeMap<>();

    public LateOffers(Incarnation process, LateMessages lateWords) {
        this.process = process;
        this.lateWords = lateWords;
    }

    @Override
    public CompletionStage<RegistrationResponse> registers(JobMasterGateway jobMaster, WorkerAtJob worker) {
        return jobMaster.registerWorker(worker).thenApply(response -> {
            if (response instanceof RegistrationResponse.Accepted) {
                connections.put(worker.worker(), new Connection(worker.session()));
            }
            return response;
        });
    }

    @Override
    public CompletionStage<AcceptedSlots> offers(JobMasterGateway jobMaster, SlotOffers offers) {
        Optional.ofNullable(connections.get(offers.worker()))
                .filter(connection -> connection.session.equals(offers.session()))
                .ifPresent(connection -> {
                    offers.offers()
                            .forEach(offer -> connection.offers.merge(
                                    offer.allocation(),
                                    offers,
                                    (one, other) -> one.number() > other.number() ? one : other));
                    if (offers.number() % EACH == 0) {
                        connection.offers.values().stream()
                                .filter(before -> before.number() < offers.number())
                                .findFirst()
                                .ifPresent(before -> comesAgain(jobMaster, connection, before));
                    }
                });
        return jobMaster.offerSlots(offers);
    }

    private void comesAgain(JobMasterGateway jobMaster, Connection connection, SlotOffers before) {
        lateWords.soon(
                process,
                () -> connections.get(before.worker()) == connection
                        ? Optional.of(jobMaster.offerSlots(before))
                        : Optional.empty());
    }
}

package io.berth.simulator.oracle;

import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.job.JobDetails;
import io.berth.simulator.gateway.WatchedJobMaster;
import io.berth.simulator.time.Incarnation;
import io.berth.spi.WorkerId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Checks which offers one JobMaster accepts: none that is older than another offer of the same process, and none from
 * a process of a worker that is not the last one registered (invariant P3).
 */
final class AcceptedOffers implements WatchedJobMaster.Watcher {

    private final Incarnation process;
    private final Ledger ledger;
    private final SortedMap<WorkerId, WorkerSessionId> registered = new TreeMap<>();
    private final SortedMap<WorkerId, Long> latest = new TreeMap<>();

    AcceptedOffers(Incarnation process, Ledger ledger) {
        this.process = process;
        this.ledger = ledger;
    }

    @Override
    public CompletionStage<RegistrationResponse> registers(JobMasterGateway jobMaster, WorkerAtJob worker) {
        return jobMaster.registerWorker(worker).thenApply(response -> {
            if (response instanceof RegistrationResponse.Accepted) {
                // Perhaps again after it was lost: the JobMaster forgets the offers when the connection ends.
                registered.put(worker.worker(), worker.session());
                latest.remove(worker.worker());
            }
            return response;
        });
    }

    @Override
    public CompletionStage<AcceptedSlots> offers(JobMasterGateway jobMaster, SlotOffers offers) {
        boolean current = offers.session().equals(registered.get(offers.worker()));
        boolean old = !current || offers.number() < latest.getOrDefault(offers.worker(), Long.MIN_VALUE);
        if (current) {
            latest.merge(offers.worker(), offers.number(), Math::max);
        }
        Optional<SortedSet<String>> before = old && !process.lags() ? slots(jobMaster) : Optional.empty();
        if (before.isEmpty()) {
            return jobMaster.offerSlots(offers);
        }
        CompletionStage<AcceptedSlots> answer = process.atOnce(() -> jobMaster.offerSlots(offers));
        slots(jobMaster)
                .filter(after -> !before.get().containsAll(after))
                .ifPresent(after -> ledger.broken("E: a JobMaster on " + process + " had " + before.get() + " and has "
                        + after + " by the old " + offers));
        return answer;
    }

    private Optional<SortedSet<String>> slots(JobMasterGateway jobMaster) {
        return process.atOnce(() -> {
            CompletableFuture<JobDetails> details = jobMaster.details().toCompletableFuture();
            if (!details.isDone() || details.isCompletedExceptionally()) {
                return Optional.<SortedSet<String>>empty();
            }
            SortedSet<String> slots = new TreeSet<>();
            details.join().slots().forEach(slot -> slots.add(slot.allocation() + " on " + slot.worker()));
            return Optional.of(slots);
        });
    }
}

package io.berth.worker.connection;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.registration.RegisteredConnection;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.MainThread;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers slots to the JobMaster of one job (FLIP-6). An offer holds all waiting slots; only the answer to the latest
 * offer counts. Without an answer the slots are offered again; when the JobMaster fails to handle the offer, they are
 * freed; when it does not know the worker, they wait while the worker registers again. Confined to the main thread of the TaskExecutor.
 */
final class SlotOffering {

    private static final Logger LOG = LoggerFactory.getLogger(SlotOffering.class);
    private static final long FIRST_ATTEMPT_MILLIS = 500;
    private static final long MAX_ATTEMPT_MILLIS = 5_000;
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 2_000;

    private final JobId job;
    private final WorkerAtJob self;
    private final MainThread mainThread;
    private final RegisteredConnection<JobMasterGateway> connection;
    private final JobConnection.Context context;
    private final BiConsumer<AllocationId, String> failSlot;
    private final Backoff times = new Backoff(FIRST_ATTEMPT_MILLIS, MAX_ATTEMPT_MILLIS);
    private final Backoff pauses = new Backoff(FIRST_PAUSE_MILLIS, MAX_PAUSE_MILLIS);
    private long current;

    /** @param failSlot reports to the JobMaster, with the cause, that a slot that it expects is missing */
    SlotOffering(
            JobId job,
            WorkerAtJob self,
            MainThread mainThread,
            RegisteredConnection<JobMasterGateway> connection,
            JobConnection.Context context,
            BiConsumer<AllocationId, String> failSlot) {
        this.job = job;
        this.self = self;
        this.mainThread = mainThread;
        this.connection = connection;
        this.context = context;
        this.failSlot = failSlot;
    }

    /** Answers to earlier offers have no effect from now on. */
    void stop() {
        current++;
        times.reset();
        pauses.reset();
    }

    /** Offers all waiting slots. */
    void offer(JobMasterGateway gateway, JobMasterId jobMaster) {
        mainThread.assertCurrent();
        List<SlotOffer> offers = context.waiting(job);
        if (offers.isEmpty()) {
            return;
        }
        long offer = ++current;
        CompletionStage<AcceptedSlots> answer = mainThread.within(
                times.next(),
                "offer of " + offers.size() + " slots to JobMaster " + jobMaster,
                gateway.offerSlots(new SlotOffers(self.worker(), self.session(), context.nextOffer(), offers)));
        mainThread.whenComplete(answer, (accepted, failure) -> {
            if (offer != current) {
                return;
            }
            if (failure != null) {
                failed(offer, gateway, jobMaster, offers, failure);
            } else if (accepted.notRegistered()) {
                // The JobMaster has given up this worker, and the message about that was lost.
                connection.lost("this worker is no longer registered there");
            } else {
                connection.heard();
                times.reset();
                pauses.reset();
                settle(jobMaster, offers, accepted);
            }
        });
    }

    private void settle(JobMasterId jobMaster, List<SlotOffer> offers, AcceptedSlots accepted) {
        for (SlotOffer slot : offers) {
            AllocationId allocation = slot.allocation();
            if (!accepted.accepted().contains(allocation)) {
                context.rejected(job, jobMaster, allocation, "its JobMaster did not accept it");
            } else if (!context.accepted(job, jobMaster, allocation)) {
                failSlot.accept(allocation, "it was freed while it was on offer");
            }
        }
    }

    private void failed(
            long offer, JobMasterGateway gateway, JobMasterId jobMaster, List<SlotOffer> offers, Throwable failure) {
        connection.callFailed(failure);
        if (offer != current) {
            return;
        }
        if (Failures.isTransient(failure)) {
            offerLater(gateway, jobMaster, offers.size(), failure);
        } else {
            String cause = "its JobMaster failed to handle the offer: " + Failures.text(failure);
            offers.forEach(slot -> context.rejected(job, jobMaster, slot.allocation(), cause));
        }
    }

    private void offerLater(JobMasterGateway gateway, JobMasterId jobMaster, int slots, Throwable failure) {
        long pause = pauses.next();
        long offer = current;
        LOG.warn(
                "job {}: offer of {} slots to JobMaster {} failed: {}; offering again in {} ms",
                job,
                slots,
                jobMaster,
                Failures.text(failure),
                pause);
        mainThread.schedule(pause, () -> {
            if (offer == current) {
                offer(gateway, jobMaster);
            }
        });
    }
}

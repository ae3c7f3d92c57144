package io.berth.core.resources.workers;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.WorkerConnection;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives workers up, and tells whom it concerns. Confined to the main thread. */
public final class LostWorkers {

    private static final Logger LOG = LoggerFactory.getLogger(LostWorkers.class);

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final RequirementLedger ledger;
    private final WorkerDemand backends;
    private final SlotReports reports;
    private boolean stopping;

    public LostWorkers(
            ResourceManagerId id,
            MainThread mainThread,
            RequirementLedger ledger,
            WorkerDemand backends,
            SlotReports reports) {
        this.id = id;
        this.mainThread = mainThread;
        this.ledger = ledger;
        this.backends = backends;
        this.reports = reports;
    }

    /** Workers were told to exit: that they are lost is as it should be. */
    public void stop() {
        stopping = true;
    }

    /**
     * Gives a worker up: its slots are lost, and the JobMasters of the jobs that had some are told. A JobMaster with slots
     * that are not known here finds out by its own heartbeats.
     *
     * @param tell whether its process may still run: then it is told, and its backend ends it
     */
    public void lose(WorkerEntry worker, String cause, boolean tell) {
        mainThread.assertCurrent();
        Optional<WorkerConnection> connection = worker.connection();
        if (stopping || worker.state() == WorkerEntry.State.RELEASING) {
            LOG.info("{}: released: {}", worker, cause);
        } else {
            LOG.warn("{}: lost with {} slots: {}", worker, worker.slots().size(), cause);
        }
        WorkerId lost = worker.id();
        if (tell) {
            backends.unwanted(worker);
            connection.ifPresent(by -> by.gateway().disconnectResourceManager(id, cause));
        }
        SortedSet<JobId> concerned = new TreeSet<>();
        worker.slots().forEach(slot -> concerned.add(slot.job().id));
        reports.gone(worker);
        connection.map(WorkerConnection::session).ifPresent(session -> {
            for (JobId job : concerned) {
                ledger.find(job)
                        .flatMap(JobEntry::master)
                        .ifPresent(master -> master.gateway().disconnectWorker(id, lost, session, cause));
            }
        });
    }
}

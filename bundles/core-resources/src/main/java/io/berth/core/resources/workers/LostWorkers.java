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

/** Removes lost workers and notifies the JobMasters of affected jobs. Confined to the main thread. */
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

    /** Workers were asked to exit: their loss is expected from now on. */
    public void stop() {
        stopping = true;
    }

    /**
     * Removes a worker with its slots and notifies the JobMasters of the jobs that had them. A JobMaster with slots
     * that the ResourceManager does not know learns of the loss by its own heartbeats.
     *
     * @param mayRun whether its process may still run; then the worker is notified and its backend stops it
     */
    public void lose(WorkerEntry worker, String cause, boolean mayRun) {
        mainThread.assertCurrent();
        Optional<WorkerConnection> connection = worker.connection();
        if (stopping || worker.state() == WorkerEntry.State.RELEASING) {
            LOG.info("{}: released: {}", worker, cause);
        } else {
            LOG.warn("{}: lost with {} slots: {}", worker, worker.slots().size(), cause);
        }
        WorkerId lost = worker.id();
        if (mayRun) {
            backends.unwanted(worker);
            connection.ifPresent(by -> by.gateway().disconnectResourceManager(id, cause));
        }
        SortedSet<JobId> affected = new TreeSet<>();
        worker.slots().forEach(slot -> affected.add(slot.job().id));
        reports.gone(worker);
        connection.map(WorkerConnection::session).ifPresent(session -> {
            for (JobId job : affected) {
                ledger.find(job)
                        .flatMap(JobEntry::master)
                        .ifPresent(master -> master.gateway().disconnectWorker(id, lost, session, cause));
            }
        });
    }
}

package io.berth.core.resources.workers;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Changes;
import io.berth.core.resources.state.Changes.Change;
import io.berth.core.resources.state.WorkerConnection;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases workers that a backend started and that were idle for the timeout (FLIP-6, container caching), or that leave
 * and are empty. A worker that keeps results for a job is not idle. The worker is asked first and refuses while it has slots
 * or results; until it answers it receives no new slots. Confined to the main thread.
 */
public final class IdleWorkers {

    private static final Logger LOG = LoggerFactory.getLogger(IdleWorkers.class);

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Clock clock;
    private final Supplier<ResourceSettings> settings;
    private final WorkerRegistry workers;
    private final WorkerDemand backends;
    private final Changes changes;

    public IdleWorkers(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            Supplier<ResourceSettings> settings,
            WorkerRegistry workers,
            WorkerDemand backends,
            Changes changes) {
        this.id = id;
        this.mainThread = mainThread;
        this.clock = clock;
        this.settings = settings;
        this.workers = workers;
        this.backends = backends;
        this.changes = changes;
    }

    public void sweep() {
        mainThread.assertCurrent();
        long now = clock.millis();
        // A grant resets the idle time, so only workers without slots matter.
        for (WorkerEntry worker : workers.unused()) {
            if (!worker.idle()) {
                worker.idleSince(-1);
            } else if (worker.leaving().isPresent()) {
                releaseLeaving(worker);
            } else if (worker.results() > 0) {
                worker.idleSince(-1);
            } else if (worker.idleSince() < 0) {
                worker.idleSince(now);
            } else if (now - worker.idleSince() >= settings.get().workerIdleTimeoutMillis()
                    && worker.releasable()
                    && !backends.kept(worker)) {
                release(worker, "idle for " + settings.get().workerIdleTimeoutMillis() + " ms");
            }
        }
    }

    /** An empty worker that leaves has nothing to wait for. One that no backend started stays, without slots. */
    private void releaseLeaving(WorkerEntry worker) {
        if (worker.releasable()) {
            release(
                    worker,
                    "empty, and leaves: " + worker.leaving().orElseThrow().reason());
        }
    }

    private void release(WorkerEntry worker, String cause) {
        WorkerConnection connection = worker.connection().orElseThrow();
        workers.state(worker, WorkerEntry.State.RELEASING);
        changes.mark(Change.DEMAND);
        LOG.info("{}: releasing, {}", worker, cause);
        // After the declaration, so that the backend does not replace the worker when it ends.
        mainThread.execute(() -> {
            if (isPresent(worker, connection)) {
                exit(worker, connection, cause);
            }
        });
    }

    private boolean isPresent(WorkerEntry worker, WorkerConnection connection) {
        return workers.contains(worker) && worker.isInstance(connection.instance());
    }

    private void exit(WorkerEntry worker, WorkerConnection connection, String cause) {
        mainThread.whenComplete(connection.gateway().exit(id, false, cause), (ending, failure) -> {
            if (!isPresent(worker, connection)) {
                return;
            }
            if (failure == null && ending) {
                backends.unwanted(worker);
            } else {
                LOG.info(
                        "{}: not released: {}",
                        worker,
                        failure == null ? "it has slots or results" : failure.getMessage());
                workers.state(worker, WorkerEntry.State.REGISTERED);
                worker.idleSince(-1);
                changes.mark(Change.CLUSTER);
                changes.mark(Change.DEMAND);
            }
        });
    }
}

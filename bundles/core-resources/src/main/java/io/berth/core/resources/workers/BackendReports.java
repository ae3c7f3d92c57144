package io.berth.core.resources.workers;

import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.resources.backends.SpecStarts;
import io.berth.core.resources.backends.StartFailures;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Changes;
import io.berth.core.resources.state.Changes.Change;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.StartFailure;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acts on reports of backends about their processes. A process that does not register is replaced and counts as a
 * failed start (FLIP-6). One that registers with less than its spec has is stopped, and is a failed start of the spec.
 * Confined to the main thread.
 */
public final class BackendReports {

    private static final Logger LOG = LoggerFactory.getLogger(BackendReports.class);

    private final MainThread mainThread;
    private final PeerWait wait;
    private final Supplier<ResourceSettings> settings;
    private final WorkerRegistry workers;
    private final WorkerDemand backends;
    private final StartFailures failures;
    private final SpecStarts starts;
    private final Changes changes;
    private final LostWorkers losses;
    private final Recovery recovery;
    /** The ends of pauses, by BACKEND/SPEC. */
    private final SortedMap<String, Timers.Cancellable> resumptions = new TreeMap<>();

    public BackendReports(
            MainThread mainThread,
            PeerWait wait,
            Supplier<ResourceSettings> settings,
            WorkerRegistry workers,
            WorkerDemand backends,
            StartFailures failures,
            SpecStarts starts,
            Changes changes,
            LostWorkers losses,
            Recovery recovery) {
        this.mainThread = mainThread;
        this.wait = wait;
        this.settings = settings;
        this.workers = workers;
        this.backends = backends;
        this.failures = failures;
        this.starts = starts;
        this.changes = changes;
        this.losses = losses;
        this.recovery = recovery;
    }

    public void added(BackendHandle backend) {
        LOG.info("backend {}: {} specs", backend.name(), backend.specs().size());
        backends.add(backend);
        recovery.added(backend.name());
    }

    public void specsChanged(BackendHandle backend) {
        if (backends.specsChanged(backend)) {
            LOG.info("backend {}: offers other specs: {}", backend.name(), backend.specs());
        }
    }

    /** Its registered workers stay. */
    public void removed(BackendHandle backend) {
        if (backends.remove(backend)) {
            LOG.info("backend {}: removed", backend.name());
            recovery.recovered(backend.name());
        }
    }

    /** A process was started: its time to register begins. */
    public void started(String backend, WorkerId workerId, String spec) {
        boolean repeated = workers.find(workerId).filter(WorkerEntry::launched).isPresent();
        Optional<WorkerEntry> worker = backends.started(backend, workerId, spec);
        if (worker.isPresent()) {
            LOG.info("worker {}: started by backend {} as {}", workerId, backend, spec);
            if (!repeated) {
                checkSize(worker.get(), spec);
            }
            awaitRegistration(worker.get(), workerId, settings.get().workerRegistrationTimeoutMillis());
        }
    }

    /** A process may register before its backend says that it was started. */
    private void checkSize(WorkerEntry worker, String spec) {
        Optional<ResourceProfile> size = backends.size(worker.backend, spec);
        if (worker.connection().isEmpty() || size.isEmpty()) {
            return;
        }
        if (worker.total().covers(size.get())) {
            backends.reports().cameWhole(WorkerEntry.kind(worker.backend, spec));
        } else {
            String why = pauseAfter(worker, spec, size.get(), worker.total());
            if (worker.slots().isEmpty()) {
                losses.lose(worker, why, true);
            }
        }
    }

    /**
     * A process that was started in this term registers with less than its spec has. Its backend stops it. If it stayed,
     * the next plan would start another one for what it lacks, and so on.
     *
     * @return the reason
     */
    public String cameSmaller(WorkerEntry worker, ResourceProfile registered) {
        String why = pauseAfter(worker, worker.spec, worker.total(), registered);
        backends.unwanted(worker);
        // It is removed, because its spec is paused.
        backends.reopen(worker);
        changes.mark(Change.CLUSTER);
        return why;
    }

    private String pauseAfter(WorkerEntry worker, String spec, ResourceProfile size, ResourceProfile registered) {
        Shortfall shortfall = Shortfall.of(size, registered);
        String why = worker + " registered with " + shortfall.there() + ", and its spec has " + shortfall.expected();
        long pause = backends.reports().cameSmaller(worker.backend, spec, why);
        String kind = WorkerEntry.kind(worker.backend, spec);
        LOG.warn("{}; no worker of {} is requested for {} ms", why, kind, pause);
        if (pause > 0) {
            resumeSpecIn(kind, pause);
        }
        return why;
    }

    /** A process of an earlier term still runs: it is missing until it registers, and given up after the timeout. */
    public void survived(String backend, WorkerId workerId, String spec) {
        Optional<WorkerEntry> worker = backends.survived(backend, workerId, spec);
        if (worker.isPresent()) {
            LOG.info("worker {}: of an earlier term, runs at backend {} as {}", workerId, backend, spec);
            awaitRegistration(worker.get(), workerId, settings.get().leftoverMillis());
            recovery.runs(workerId);
        } else if (backends.surplus(backend, workerId)) {
            watchSurplus(backend, workerId);
            recovery.runs(workerId);
        }
    }

    private void watchSurplus(String backend, WorkerId workerId) {
        wait.over(settings.get().leftoverMillis(), () -> {
            backends.stopSurplus(backend, workerId);
            recovery.settles(workerId);
        });
    }

    private void awaitRegistration(WorkerEntry worker, WorkerId workerId, long millis) {
        workers.changed(worker);
        wait.over(millis, () -> giveUpUnregistered(worker, workerId, millis));
    }

    private void giveUpUnregistered(WorkerEntry worker, WorkerId workerId, long millis) {
        if (!workers.contains(worker)
                || worker.state() != WorkerEntry.State.PENDING
                || !worker.id().equals(workerId)) {
            return;
        }
        LOG.warn("worker {}: did not register within {} ms: given up", workerId, millis);
        backends.unwanted(worker);
        withdraw(worker, backends.isPreviousWorker(worker));
        recovery.settles(workerId);
    }

    /**
     * The process of a pending worker will not register. A survivor is not a failed start, and is replaced only if
     * needed.
     */
    private void withdraw(WorkerEntry worker, boolean survivor) {
        if (survivor && worker.planned() == 0) {
            workers.remove(worker);
        } else {
            backends.reopen(worker);
        }
        changes.mark(Change.CLUSTER);
        if (!survivor) {
            failed(worker.backend);
        }
    }

    /** A process ended: the worker is lost at once, without waiting for heartbeats. */
    public void ended(String backend, WorkerId workerId, String diagnostics) {
        Optional<WorkerEntry> worker = workers.find(workerId).filter(there -> there.backend.equals(backend));
        boolean survivor = worker.filter(backends::isPreviousWorker).isPresent();
        backends.ended(backend, workerId);
        recovery.settles(workerId);
        if (worker.isEmpty()) {
            LOG.debug("worker {}: ended: {}", workerId, diagnostics);
        } else if (worker.get().state() == WorkerEntry.State.PENDING) {
            LOG.warn("worker {}: ended before it registered: {}", workerId, diagnostics);
            withdraw(worker.get(), survivor);
        } else {
            losses.lose(worker.get(), "process ended: " + diagnostics, false);
        }
    }

    /** A process could not be started. */
    public void startFailed(String backend, String spec, StartFailure failure) {
        long pause = failure.kind().pausesSpec() ? backends.reports().pause(backend, spec, failure) : 0;
        if (backends.reports().startFailed(backend, spec, failure)) {
            LOG.warn(
                    "backend {}: a worker of spec {} could not be started: {}{}",
                    backend,
                    spec,
                    failure,
                    pause > 0 ? "; none is requested for " + pause + " ms" : "");
        }
        if (pause > 0) {
            resumeSpecIn(WorkerEntry.kind(backend, spec), pause);
        } else if (!failure.kind().pausesSpec()) {
            failed(backend);
        }
    }

    /** One timer for each spec: a later failure changes the length of its pause. */
    private void resumeSpecIn(String kind, long millis) {
        Timers.Cancellable timer = mainThread.schedule(millis, () -> {
            resumptions.remove(kind);
            // The clock may be slower than the timer.
            long left = starts.pausedMillis(kind);
            if (left > 0) {
                resumeSpecIn(kind, left);
            } else {
                backends.reports().resumed();
            }
        });
        Optional.ofNullable(resumptions.put(kind, timer)).ifPresent(Timers.Cancellable::cancel);
    }

    private void failed(String backend) {
        if (failures.failed(backend)) {
            long pause = settings.get().startPauseMillis();
            String why = "more than " + settings.get().startFailuresPerMinute()
                    + " starts failed in a minute; no new worker is requested for " + pause + " ms";
            LOG.warn("backend {}: {}", backend, why);
            backends.reports().paused(backend, why);
            resumeIn(backend, pause);
        }
    }

    private void resumeIn(String backend, long millis) {
        mainThread.schedule(millis, () -> {
            long left = failures.pausedMillis(backend);
            if (left > 0) {
                resumeIn(backend, left);
            } else {
                changes.mark(Change.DEMAND);
            }
        });
    }
}

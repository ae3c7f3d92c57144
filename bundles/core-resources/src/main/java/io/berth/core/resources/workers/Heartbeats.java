package io.berth.core.resources.workers;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.PauseDetector;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.PeerHeartbeat;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.WorkerConnection;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends heartbeats to workers and JobMasters and tells which do not answer: for the time-out, or so many
 * failed calls in a row as are configured (reference 1.7). Confined to the main thread.
 */
public final class Heartbeats {

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Clock clock;
    private final Supplier<ResourceSettings> settings;
    private final WorkerRegistry workers;
    private final RequirementLedger ledger;
    private final Listener listener;
    private final PauseDetector beatWatch;

    /** Acts on what the heartbeats tell; on the main thread. */
    public interface Listener {

        void reported(WorkerEntry worker, SlotReport report, long heartbeat);

        void workerLost(WorkerEntry worker, String cause);

        void jobMasterLost(JobEntry job, String cause);
    }

    public Heartbeats(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            Supplier<ResourceSettings> settings,
            WorkerRegistry workers,
            RequirementLedger ledger,
            Listener listener) {
        this.id = id;
        this.mainThread = mainThread;
        this.clock = clock;
        this.settings = settings;
        this.workers = workers;
        this.ledger = ledger;
        this.listener = listener;
        this.beatWatch = new PauseDetector(clock);
    }

    public void start() {
        mainThread.assertCurrent();
        beatWatch.begin();
        mainThread.schedule(settings.get().heartbeatIntervalMillis(), this::tick);
    }

    private void tick() {
        // First of all: whatever becomes of this turn, there is a next one.
        mainThread.schedule(settings.get().heartbeatIntervalMillis(), this::tick);
        long now = clock.millis();
        long still = beatWatch.pausedMillis(
                settings.get().heartbeatIntervalMillis(), settings.get().heartbeatTimeoutMillis());
        boolean stoodStill = still > 0;
        if (stoodStill) {
            LOG.warn("ResourceManager {}: stood still for {} ms; peers get their time again", id, still);
        }
        workers.connected().forEach(worker -> heartbeat(worker, now, stoodStill));
        ledger.all().forEach(job -> job.master().ifPresent(master -> heartbeat(job, master, now, stoodStill)));
    }

    /** Asks a worker at once for what it has, unless it is being asked. */
    public void ask(WorkerEntry worker) {
        mainThread.assertCurrent();
        heartbeat(worker, clock.millis(), false);
    }

    /** So long a heartbeat holds up the next one: several fit into the time-out, so that one may be lost. */
    private long patienceMillis() {
        return Math.max(settings.get().heartbeatIntervalMillis(), settings.get().heartbeatTimeoutMillis() / 3);
    }

    private boolean alive(PeerHeartbeat pulse, long now, boolean stoodStill) {
        if (stoodStill) {
            pulse.heard(now);
        }
        return !unreachable(pulse) && !pulse.timedOut(now, settings.get().heartbeatTimeoutMillis());
    }

    private boolean unreachable(PeerHeartbeat pulse) {
        return pulse.unreachable(settings.get().heartbeatFailures());
    }

    private String cause(PeerHeartbeat pulse, long now) {
        return unreachable(pulse)
                ? "unreachable: " + pulse.failures() + " calls in a row failed"
                : "no heartbeat for " + pulse.age(now) + " ms";
    }

    private void heartbeat(WorkerEntry worker, long now, boolean stoodStill) {
        PeerHeartbeat pulse = worker.pulse();
        if (!alive(pulse, now, stoodStill)) {
            listener.workerLost(worker, cause(pulse, now));
            return;
        }
        OptionalLong number = pulse.begin(now, patienceMillis());
        if (number.isEmpty()) {
            return;
        }
        WorkerConnection connection = worker.connection().orElseThrow();
        long heartbeat = worker.nextHeartbeat();
        mainThread.whenComplete(connection.gateway().heartbeatFromResourceManager(id), (report, failure) -> {
            if (!workers.contains(worker) || worker.pulse() != pulse) {
                return;
            }
            if (failure == null) {
                if (pulse.answered(number.getAsLong(), clock.millis())) {
                    listener.reported(worker, report, heartbeat);
                }
                return;
            }
            LOG.debug("{}: heartbeat failed", worker, failure);
            pulse.unanswered(number.getAsLong());
            if (unreachable(pulse)) {
                listener.workerLost(worker, cause(pulse, clock.millis()));
            }
        });
    }

    private void heartbeat(JobEntry job, JobEntry.Master master, long now, boolean stoodStill) {
        PeerHeartbeat pulse = master.pulse();
        if (!alive(pulse, now, stoodStill)) {
            listener.jobMasterLost(job, cause(pulse, now));
            return;
        }
        OptionalLong number = pulse.begin(now, patienceMillis());
        if (number.isEmpty()) {
            return;
        }
        mainThread.whenComplete(master.gateway().heartbeatFromResourceManager(id), (done, failure) -> {
            if (job.master().filter(present -> present.pulse() == pulse).isEmpty()) {
                return;
            }
            if (failure == null) {
                pulse.answered(number.getAsLong(), clock.millis());
                return;
            }
            LOG.debug("job {}: heartbeat failed", job.id, failure);
            pulse.unanswered(number.getAsLong());
            if (unreachable(pulse)) {
                listener.jobMasterLost(job, cause(pulse, clock.millis()));
            }
        });
    }
}

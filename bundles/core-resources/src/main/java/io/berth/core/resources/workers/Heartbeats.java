package io.berth.core.resources.workers;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.heartbeat.HeartbeatMonitor;
import io.berth.core.api.heartbeat.HeartbeatSender;
import io.berth.core.api.heartbeat.HeartbeatSender.Peer;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.explanation.JobRooms;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.WorkerConnection;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Heartbeats to the registered workers and JobMasters. Confined to the main thread of the ResourceManager. */
public final class Heartbeats {

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Supplier<ResourceSettings> settings;
    private final WorkerRegistry workers;
    private final RequirementLedger ledger;
    private final JobRooms rooms;
    private final Listener listener;
    private final HeartbeatSender sender;

    /** Acts on answers and losses, on the main thread. */
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
            JobRooms rooms,
            Listener listener) {
        this.id = id;
        this.mainThread = mainThread;
        this.settings = settings;
        this.workers = workers;
        this.ledger = ledger;
        this.rooms = rooms;
        this.listener = listener;
        this.sender = new HeartbeatSender(
                "ResourceManager " + id, mainThread, clock, () -> settings.get().heartbeat());
    }

    public void start() {
        mainThread.assertCurrent();
        sender.restart();
        mainThread.schedule(settings.get().heartbeatIntervalMillis(), this::tick);
    }

    private void tick() {
        // First of all: whatever happens in this round, there is a next one.
        mainThread.schedule(settings.get().heartbeatIntervalMillis(), this::tick);
        List<Peer> peers = new ArrayList<>();
        workers.connected().forEach(worker -> peer(worker).ifPresent(peers::add));
        ledger.all().forEach(job -> job.master().ifPresent(master -> peers.add(new JobMasterPeer(job, master))));
        sender.round(peers);
        rooms.refresh();
    }

    /** Asks a worker at once for its slots, unless a heartbeat to it is under way. */
    public void ask(WorkerEntry worker) {
        mainThread.assertCurrent();
        peer(worker).ifPresent(sender::sendUnlessPending);
    }

    private Optional<Peer> peer(WorkerEntry worker) {
        return worker.connection().map(connection -> new WorkerPeer(worker, connection));
    }

    private final class WorkerPeer implements Peer {

        private final WorkerEntry worker;
        private final WorkerConnection connection;

        WorkerPeer(WorkerEntry worker, WorkerConnection connection) {
            this.worker = worker;
            this.connection = connection;
        }

        @Override
        public HeartbeatMonitor monitor() {
            return connection.monitor();
        }

        @Override
        public CompletionStage<Runnable> heartbeat() {
            long heartbeat = worker.nextHeartbeat();
            return connection
                    .gateway()
                    .heartbeatFromResourceManager(id)
                    .thenApply(report -> () -> listener.reported(worker, report, heartbeat));
        }

        @Override
        public boolean isCurrent() {
            return workers.contains(worker) && worker.isInstance(connection.instance());
        }

        @Override
        public void lost(String cause) {
            listener.workerLost(worker, cause);
        }
    }

    private final class JobMasterPeer implements Peer {

        private final JobEntry job;
        private final JobEntry.Master master;

        JobMasterPeer(JobEntry job, JobEntry.Master master) {
            this.job = job;
            this.master = master;
        }

        @Override
        public HeartbeatMonitor monitor() {
            return master.monitor();
        }

        @Override
        public CompletionStage<Runnable> heartbeat() {
            return master.gateway()
                    .heartbeatFromResourceManager(id, job.declaration(), rooms.of(job))
                    .thenApply(done -> () -> {});
        }

        @Override
        public boolean isCurrent() {
            return job.master().filter(master::equals).isPresent();
        }

        @Override
        public void lost(String cause) {
            listener.jobMasterLost(job, cause);
        }
    }
}

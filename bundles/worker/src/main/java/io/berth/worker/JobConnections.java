package io.berth.worker;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.Commit;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.MainThread.RefusedException;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.worker.code.CodeLeases;
import io.berth.worker.connection.JobConnection;
import io.berth.worker.settings.WorkerSettings;
import io.berth.worker.slot.Slot;
import io.berth.worker.slot.SlotTable;
import io.berth.worker.task.KeptResults;
import io.berth.worker.task.Tasks;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections to the JobMasters that the worker has slots for. Applies what a JobMaster accepts, rejects or ends
 * to the slots and tasks of its job; both sides compare their slots at each heartbeat (FLIP-6). Confined to the main
 * thread of the TaskExecutor.
 */
final class JobConnections implements JobConnection.Context {

    private static final Logger LOG = LoggerFactory.getLogger(JobConnections.class);

    private final WorkerAtJob self;
    private final WorkerSettings settings;
    private final TaskExecutorNode.Environment environment;
    private final MainThread mainThread;
    private final SlotTable slots;
    private final Tasks tasks;
    private final KeptResults results;
    private final CodeLeases code;
    private final SlotRelease release;
    private final BooleanSupplier ending;
    private final SortedMap<JobId, JobConnection> connections = new TreeMap<>();
    private long offers;

    /**
     * @param self what the worker registers with at jobs
     * @param ending whether the worker accepts nothing new
     */
    JobConnections(
            WorkerAtJob self,
            WorkerSettings settings,
            TaskExecutorNode.Environment environment,
            MainThread mainThread,
            SlotTable slots,
            Tasks tasks,
            KeptResults results,
            CodeLeases code,
            SlotRelease release,
            BooleanSupplier ending) {
        this.self = self;
        this.settings = settings;
        this.environment = environment;
        this.mainThread = mainThread;
        this.slots = slots;
        this.tasks = tasks;
        this.results = results;
        this.code = code;
        this.release = release;
        this.ending = ending;
    }

    Optional<JobConnection> of(JobId job) {
        return Optional.ofNullable(connections.get(job));
    }

    Optional<JobConnection> of(JobId job, JobMasterId jobMaster) {
        return of(job).filter(connection -> connection.jobMaster().equals(jobMaster));
    }

    /** The connection to the JobMaster that the request names, which is not older than the present one. */
    JobConnection towards(SlotRequest request) {
        JobId job = request.job();
        code.keep(job);
        JobConnection present = connections.get(job);
        if (present == null) {
            JobConnection connection = new JobConnection(
                    job, request.jobMaster(), self, settings, environment.rpc(), mainThread, environment.clock(), this);
            connections.put(job, connection);
            connection.start();
            return connection;
        }
        if (request.jobMaster().token().compareTo(present.jobMaster().token()) > 0) {
            present.moveTo(request.jobMaster());
        }
        return present;
    }

    /** A heartbeat of a JobMaster: both sides compare their slots, and the answer reports the tasks. */
    TaskReport heartbeat(AllocatedSlots allocated) {
        JobId job = allocated.job();
        JobConnection connection = of(job, allocated.jobMaster())
                .orElseThrow(() -> new RefusedException("worker " + self.worker() + " is not registered at JobMaster "
                        + allocated.jobMaster() + " of job " + job));
        if (connection.heartbeat(allocated.number())) {
            compare(connection, allocated);
        }
        return new TaskReport(tasks.statuses(job, allocated.jobMaster()), results.size(job, allocated.jobMaster()));
    }

    /** Whether the JobMaster cannot have lost this worker, and replaced the task, since it sent the request. */
    boolean isInTime(Commit commit) {
        return of(commit.attempt().job(), commit.jobMaster())
                .filter(connection -> connection.isInTime(commit.registration(), commit.heartbeat()))
                .isPresent();
    }

    private void compare(JobConnection connection, AllocatedSlots allocated) {
        JobId job = allocated.job();
        for (AllocationId allocation : allocated.allocations()) {
            if (slots.owned(allocation, job, allocated.jobMaster()).isEmpty()) {
                connection.failSlot(allocation, "worker " + self.worker() + " does not have it");
            }
        }
        for (Slot slot : slots.ofJob(job)) {
            if (slot.state() == Slot.State.ACTIVE) {
                boolean listed = allocated.allocations().contains(slot.allocation());
                long unlisted = slot.unlisted(listed, environment.clock().millis());
                // A heartbeat may have been written before the JobMaster accepted the slot.
                if (!listed && unlisted > 0 && unlisted >= connection.heartbeatMillis()) {
                    release.free(slot, "its JobMaster does not list it");
                }
            }
        }
    }

    /** The JobMaster ends the registration of the worker. */
    void disconnected(JobId job, JobMasterId jobMaster, InstanceId registration, boolean terminal, String cause) {
        of(job, jobMaster).ifPresent(connection -> {
            if (terminal) {
                jobEnded(connection, cause);
            } else {
                connection.disconnect(registration, "it ended the registration: " + cause);
            }
        });
    }

    /** The ResourceManager names the leader of the job, or says that this JobMaster is lost. */
    void jobMasterChanged(JobId job, EndpointRef jobMaster, boolean lost, String cause) {
        of(job).ifPresent(connection -> {
            int order = jobMaster.token().compareTo(connection.jobMaster().token());
            if (order > 0 && !lost) {
                connection.moveTo(jobMaster);
            } else if (order == 0 && lost) {
                connection.suspect("the ResourceManager has lost it: " + cause);
            }
        });
    }

    private void jobEnded(JobConnection connection, String cause) {
        JobId job = connection.job();
        LOG.info("job {}: ended: {}; freeing its slots, results and bundles", job, cause);
        connection.close();
        connections.remove(job, connection);
        tasks.orphan(job, connection.jobMaster());
        results.releaseAll(job, cause);
        slots.ofJob(job).forEach(slot -> release.free(slot, cause));
        code.release(job);
    }

    @Override
    public List<SlotOffer> waiting(JobId job) {
        return slots.ofJob(job).stream().filter(Slot::waits).map(Slot::offer).toList();
    }

    @Override
    public boolean isNeeded(JobId job) {
        return !ending.getAsBoolean() && (!slots.ofJob(job).isEmpty() || results.holds(job));
    }

    @Override
    public long nextOffer() {
        return ++offers;
    }

    @Override
    public boolean accepted(JobId job, JobMasterId jobMaster, AllocationId allocation) {
        Optional<Slot> slot = slots.owned(allocation, job, jobMaster);
        slot.filter(present -> present.state() == Slot.State.ALLOCATED).ifPresent(slots::activate);
        return slot.isPresent();
    }

    @Override
    public void rejected(JobId job, JobMasterId jobMaster, AllocationId allocation, String cause) {
        // If the slot is ACTIVE, a deployment has confirmed it since.
        slots.owned(allocation, job, jobMaster)
                .filter(slot -> slot.state() == Slot.State.ALLOCATED)
                .ifPresent(slot -> release.free(slot, cause));
    }

    @Override
    public void refused(JobId job, JobMasterId jobMaster, String reason) {
        tasks.orphan(job, jobMaster);
        slots.ofJob(job).forEach(slot -> release.free(slot, "JobMaster rejects the worker: " + reason));
    }

    @Override
    public void lost(JobId job, JobMasterId jobMaster, EndpointRef next, String cause) {
        tasks.orphan(job, jobMaster);
        slots.await(job, next);
        if (next.token().equals(jobMaster.token())) {
            results.await(job);
        } else {
            results.releaseAll(job, cause);
            release.changed();
        }
    }

    @Override
    public void registered(JobId job) {
        results.found(job);
    }

    @Override
    public void acknowledged(TaskUpdate update) {
        tasks.acknowledged(update.attempt(), update.state());
    }

    @Override
    public void ended(JobConnection connection) {
        connections.remove(connection.job(), connection);
        tasks.orphan(connection.job(), connection.jobMaster());
        results.releaseAll(connection.job(), "the worker is no longer connected to its JobMaster");
        code.releaseLater(connection.job());
    }
}

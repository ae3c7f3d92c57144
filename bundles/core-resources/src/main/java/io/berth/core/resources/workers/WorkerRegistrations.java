package io.berth.core.resources.workers;

import io.berth.core.api.InstanceId;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.heartbeat.HeartbeatMonitor;
import io.berth.core.api.time.Clock;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.WorkerConnection;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerEntry.Leaving;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers workers (FLIP-6). A worker is known by its id, its process by its session. A newer session replaces an
 * older one; a repeated registration changes nothing. Confined to the main thread.
 */
public final class WorkerRegistrations {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerRegistrations.class);

    private final Clock clock;
    private final RpcService rpc;
    private final Supplier<ResourceSettings> settings;
    private final WorkerRegistry workers;
    private final WorkerDemand backends;
    private final Listener listener;
    private long instanceCount;

    /** Acts on registrations, on the main thread. */
    public interface Listener {

        /** Whether the worker receives no slots for now. */
        boolean isBlocked(WorkerId worker);

        /**
         * A process that was started in this term registers with less than its spec has. It is not accepted.
         *
         * @return the reason
         */
        String cameSmaller(WorkerEntry worker, ResourceProfile registered);

        /** Another process registers as the worker; the previous one is lost. */
        void replaced(WorkerEntry worker);

        /**
         * The worker has registered.
         *
         * @param registration its slots, and why it leaves
         */
        void registered(WorkerEntry worker, WorkerRegistration registration);

        /** A registered process has registered again. */
        void registeredAgain(WorkerEntry worker, WorkerRegistration registration);
    }

    public WorkerRegistrations(
            Clock clock,
            RpcService rpc,
            Supplier<ResourceSettings> settings,
            WorkerRegistry workers,
            WorkerDemand backends,
            Listener listener) {
        this.clock = clock;
        this.rpc = rpc;
        this.settings = settings;
        this.workers = workers;
        this.backends = backends;
        this.listener = listener;
    }

    public RegistrationResponse register(WorkerRegistration registration) {
        Optional<WorkerEntry> there = workers.find(registration.worker());
        Optional<WorkerConnection> before = there.flatMap(WorkerEntry::connection);
        if (before.isPresent()) {
            int order = registration
                    .session()
                    .token()
                    .compareTo(before.get().session().token());
            if (order == 0) {
                return again(there.get(), before.get(), registration);
            }
            if (order < 0) {
                return rejected("worker " + registration.worker() + ": session " + registration.session()
                        + " is older than " + before.get().session() + ", which is registered");
            }
            boolean launched = there.get().launched();
            Optional<Leaving> announced = there.get().announced();
            listener.replaced(there.get());
            WorkerEntry successor = add(registration);
            workers.launched(successor, launched);
            if (announced.isPresent()) {
                // Its backend takes away the place where both processes run.
                workers.leaving(successor, Optional.empty(), announced);
            }
            return enter(successor, registration);
        }
        if (backends.ends(registration.backend(), registration.worker())) {
            return rejected("worker " + registration.worker() + " was given up, and its backend "
                    + registration.backend() + " stops it");
        }
        if (there.isPresent() && isStartedNow(there.get()) && hasNoSlots(registration)) {
            if (!registration.total().covers(there.get().total()) && !isOffered(there.get(), registration)) {
                return new RegistrationResponse.Rejected(listener.cameSmaller(there.get(), registration.total()));
            }
            backends.reports().cameWhole(there.get().kind);
            backends.reports().registers(there.get());
        }
        Optional<WorkerEntry> expected = there.or(() -> takenOver(registration));
        if (expected.isEmpty() && beyondLimits(registration)) {
            backends.stray(registration.backend(), registration.worker());
            return rejected("worker " + registration.worker() + " with " + registration.total()
                    + " was not requested and does not fit: "
                    + settings.get().limits().most());
        }
        return enter(expected.orElseGet(() -> add(registration)), registration);
    }

    private static RegistrationResponse rejected(String reason) {
        LOG.warn("registration rejected: {}", reason);
        return new RegistrationResponse.Rejected(reason);
    }

    /** A worker of an earlier term or of an earlier backend may be of a spec that was another one then. */
    private boolean isStartedNow(WorkerEntry worker) {
        return worker.launched() && !backends.isPreviousWorker(worker);
    }

    /** A worker that has slots is never rejected: its jobs would lose them. */
    /** Its spec may be smaller now than when the worker was requested. */
    private boolean isOffered(WorkerEntry worker, WorkerRegistration registration) {
        return backends.size(worker.backend, worker.spec)
                .filter(registration.total()::covers)
                .isPresent();
    }

    private static boolean hasNoSlots(WorkerRegistration registration) {
        return registration.slots().slots().isEmpty();
    }

    private boolean beyondLimits(WorkerRegistration registration) {
        return hasNoSlots(registration) && settings.get().limits().room(workers.sums(), registration.total()) < 1;
    }

    /**
     * The process is registered already: the answer was lost, the worker assumes that it was given up, or the message
     * was duplicated. It keeps its instance, so outstanding messages of both sides stay valid.
     */
    private RegistrationResponse again(
            WorkerEntry worker, WorkerConnection connection, WorkerRegistration registration) {
        LOG.info("{}: registered again as instance {}", worker, connection.instance());
        connection.monitor().heard();
        listener.registeredAgain(worker, registration);
        return accepted(connection.instance());
    }

    private RegistrationResponse enter(WorkerEntry worker, WorkerRegistration registration) {
        WorkerConnection connection = new WorkerConnection(
                new InstanceId(++instanceCount),
                registration.session(),
                registration.endpoint(),
                rpc.taskExecutor(registration.endpoint()),
                clock.wallMillis(),
                clock.wallMillis() - registration.ageMillis(),
                new HeartbeatMonitor(clock));
        workers.registered(
                worker,
                connection,
                registration.total(),
                registration.defaultSlots(),
                registration.attributes(),
                registration.costPerHour());
        workers.blocked(worker, listener.isBlocked(worker.id()));
        LOG.info(
                "{}: registered as instance {} at {} with {}, {} slots allocated",
                worker,
                connection.instance(),
                registration.endpoint().address(),
                registration.total(),
                registration.slots().slots().size());
        listener.registered(worker, registration);
        return accepted(connection.instance());
    }

    /**
     * The pending worker that an unannounced worker takes: of the same spec, and not larger than the registered one. A
     * worker with slots was started in an earlier term and takes none.
     */
    private Optional<WorkerEntry> takenOver(WorkerRegistration registration) {
        if (registration.spec().isEmpty() || !hasNoSlots(registration)) {
            return Optional.empty();
        }
        ResourceProfile defaultSlot = registration.total().dividedBy(registration.defaultSlots());
        Optional<WorkerEntry> pending = workers.openPending(
                WorkerEntry.kind(registration.backend(), registration.spec()),
                worker -> registration.total().covers(worker.total()) && defaultSlot.covers(worker.defaultSlot()));
        pending.ifPresent(worker -> workers.rename(worker, registration.worker(), true));
        return pending;
    }

    private WorkerEntry add(WorkerRegistration registration) {
        return workers.add(
                registration.worker(),
                backends.origin(registration.backend(), registration.spec()),
                registration.total(),
                registration.defaultSlots(),
                registration.attributes());
    }

    private RegistrationResponse accepted(InstanceId instance) {
        return new RegistrationResponse.Accepted(
                instance,
                settings.get().heartbeatIntervalMillis(),
                settings.get().heartbeatTimeoutMillis());
    }
}

package io.berth.core.resources.workers;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.planning.SlotManager;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delays plans and starts of workers while something of the previous ResourceManager is missing, so that nothing is
 * allocated or started twice: workers that their backend found running, workers on which a JobMaster has slots, and
 * backends that have not reported their running workers. Ends when nothing is missing, at the latest after the time
 * limit. A peer that registers late within the limit and names something missing delays plans again. Confined to the
 * main thread.
 */
public final class Recovery {

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    /** The time in which JobMasters, backends and workers may appear that the ResourceManager does not know of. */
    private static final long SETTLE_MILLIS = 500;

    private static final int MAX_LISTED = 10;

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Clock clock;
    private final PeerWait wait;
    private final Supplier<ResourceSettings> settings;
    private final WorkerRegistry workers;
    private final WorkerDemand backends;
    private final SlotManager slots;
    private final SortedSet<String> silentBackends = new TreeSet<>();
    private final SortedSet<String> recoveredBackends = new TreeSet<>();
    private final SortedSet<WorkerId> missing = new TreeSet<>();
    private long limitMillis;
    private long beganMillis;
    private boolean settled;
    private boolean over = true;

    public Recovery(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            PeerWait wait,
            Supplier<ResourceSettings> settings,
            WorkerRegistry workers,
            WorkerDemand backends,
            SlotManager slots) {
        this.id = id;
        this.mainThread = mainThread;
        this.clock = clock;
        this.wait = wait;
        this.settings = settings;
        this.workers = workers;
        this.backends = backends;
        this.slots = slots;
    }

    /** Starts the recovery if there may have been a previous ResourceManager. */
    public void start() {
        mainThread.assertCurrent();
        limitMillis = settings.get().recoveryMillis();
        if (limitMillis == 0) {
            return;
        }
        over = false;
        beganMillis = clock.millis();
        wait.over(Math.min(SETTLE_MILLIS, limitMillis), () -> {
            settled = true;
            check();
        });
        wait.over(limitMillis, () -> {
            over = true;
            check();
        });
        check();
    }

    /** A backend was added: it still has to report its running workers. */
    void added(String backend) {
        if (!over) {
            recoveredBackends.remove(backend);
            silentBackends.add(backend);
            check();
        }
    }

    /** A backend has reported all running workers, or was removed: other workers of it no longer run. */
    public void recovered(String backend) {
        silentBackends.remove(backend);
        recoveredBackends.add(backend);
        missing.removeIf(this::isGone);
        check();
    }

    private boolean isGone(WorkerId worker) {
        return workers.find(worker).isEmpty()
                && !backends.isSurplus(worker)
                && recoveredBackends.stream().anyMatch(backend -> worker.value().startsWith(backend + "-"));
    }

    /** The worker runs, according to its backend. */
    void runs(WorkerId worker) {
        if (!over && !isRegistered(worker)) {
            missing.add(worker);
            check();
        }
    }

    /** A job has slots on the workers, according to its JobMaster. */
    public void holds(List<WorkerId> named) {
        for (WorkerId worker : named) {
            if (!isGone(worker)) {
                runs(worker);
            }
        }
    }

    private boolean isRegistered(WorkerId worker) {
        return workers.find(worker).flatMap(WorkerEntry::connection).isPresent();
    }

    /** The worker has registered or will not register. */
    public void settles(WorkerId worker) {
        if (missing.remove(worker)) {
            check();
        }
    }

    private void check() {
        boolean waits = !over && !(settled && silentBackends.isEmpty() && missing.isEmpty());
        if (waits == slots.isRecovering()) {
            return;
        }
        backends.recovering(waits);
        if (waits) {
            LOG.info(
                    "ResourceManager {}: workers of the previous one have up to {} ms to register before it plans",
                    id,
                    limitMillis);
            slots.recover(Reason.of(
                    ReasonCode.NOT_ATTEMPTED,
                    "not attempted yet: the ResourceManager has just started and waits, at most " + limitMillis
                            + " ms, for the workers of the previous one"));
            return;
        }
        LOG.info(
                "ResourceManager {}: plans {} ms after its start, with {} workers{}",
                id,
                clock.millis() - beganMillis,
                workers.connected().size(),
                missing.isEmpty() ? "" : "; without " + missing.size() + " that did not register, " + someMissing());
        slots.recovered();
    }

    private String someMissing() {
        return String.join(
                ", ", missing.stream().limit(MAX_LISTED).map(WorkerId::value).toList());
    }
}

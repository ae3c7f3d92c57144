package io.berth.core.resources.workers;

import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerEntry.Leaving;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.WorkerId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What backends announce about workers that they take away. Announcements shortly after each other take effect
 * together, because each change is sent to all JobMasters. One about a worker that is not known yet waits for it.
 * Confined to the main thread.
 */
public final class AnnouncedLeaves {

    private static final Logger LOG = LoggerFactory.getLogger(AnnouncedLeaves.class);

    private static final long PAUSE_MILLIS = 200;
    /** Of the same reason, a deadline that differs by less is the same. */
    private static final long PRECISION_MILLIS = 1_000;

    private static final int MAX_EARLY = 1_000;

    private record Announcement(String backend, Leaving leaving) {}

    private final MainThread mainThread;
    private final Clock clock;
    private final WorkerRegistry workers;
    private final LeavingWorkers leaving;
    private final Map<WorkerId, Announcement> waiting = new LinkedHashMap<>();
    /** For workers that are not known yet. */
    private final Map<WorkerId, Announcement> early = new LinkedHashMap<>();

    /** Backends that named workers of others. */
    private final Set<String> refused = new TreeSet<>();

    private boolean pausing;

    public AnnouncedLeaves(MainThread mainThread, Clock clock, WorkerRegistry workers, LeavingWorkers leaving) {
        this.mainThread = mainThread;
        this.clock = clock;
        this.workers = workers;
        this.leaving = leaving;
    }

    /** A backend takes a worker away. */
    public void announced(String backend, WorkerId worker, WorkerLeave leave) {
        mainThread.assertCurrent();
        waiting.put(worker, new Announcement(backend, Leaving.of(leave, clock)));
        if (!pausing) {
            apply();
        }
    }

    private void apply() {
        pausing = !waiting.isEmpty();
        if (pausing) {
            waiting.forEach(this::apply);
            waiting.clear();
            mainThread.schedule(PAUSE_MILLIS, this::apply);
        }
    }

    private void apply(WorkerId id, Announcement announcement) {
        Optional<WorkerEntry> worker = workers.find(id);
        if (worker.isEmpty()) {
            early.put(id, announcement);
            if (early.size() > MAX_EARLY) {
                early.remove(early.keySet().iterator().next());
            }
        } else if (!worker.get().backend.equals(announcement.backend())) {
            if (refused.add(announcement.backend())) {
                LOG.warn(
                        "backend {}: cannot take {} away, which is one of backend {}; later ones are not logged",
                        announcement.backend(),
                        worker.get(),
                        worker.get().backend);
            }
        } else if (worker.get()
                .announced()
                .filter(before -> isSame(before, announcement.leaving()))
                .isEmpty()) {
            leaving.takenAway(worker.get(), announcement.leaving());
        }
    }

    private static boolean isSame(Leaving before, Leaving now) {
        return before.reason().equals(now.reason())
                && Math.abs(before.untilMillis() - now.untilMillis()) < PRECISION_MILLIS;
    }

    /** The worker is known from now on. */
    public void appeared(WorkerId worker) {
        Optional.ofNullable(early.remove(worker)).ifPresent(announcement -> apply(worker, announcement));
    }

    /** Its process ended. */
    public void ended(WorkerId worker) {
        waiting.remove(worker);
        early.remove(worker);
    }
}

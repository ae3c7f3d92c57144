package io.berth.core.resources.blocklist;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Workers that receive no slots until a point in time (FLIP-224). They keep their slots. Workers are known by their id,
 * so another process with the same id is blocked too. Confined to the main thread.
 */
public final class BlockList {

    private final MainThread mainThread;
    private final Clock clock;
    private final Consumer<WorkerId> changed;
    private final SortedMap<WorkerId, Long> blockedUntil = new TreeMap<>();

    /** @param changed receives each worker that was blocked or unblocked */
    public BlockList(MainThread mainThread, Clock clock, Consumer<WorkerId> changed) {
        this.mainThread = mainThread;
        this.clock = clock;
        this.changed = changed;
    }

    /**
     * Blocks a worker for a time; the later of two ends applies.
     *
     * @return whether the block became longer
     */
    public boolean block(WorkerId worker, long millis) {
        mainThread.assertCurrent();
        long until = clock.millis() + millis;
        boolean before = blocks(worker);
        if (before && Objects.requireNonNull(blockedUntil.get(worker)) >= until) {
            return false;
        }
        blockedUntil.put(worker, until);
        mainThread.schedule(millis, () -> expire(worker));
        if (!before) {
            changed.accept(worker);
        }
        return true;
    }

    /** The worker may receive slots again. */
    void unblock(WorkerId worker) {
        mainThread.assertCurrent();
        if (blockedUntil.remove(worker) != null) {
            changed.accept(worker);
        }
    }

    /** A copy, by id. */
    List<WorkerId> workers() {
        return List.copyOf(blockedUntil.keySet());
    }

    /** For how long a worker is still blocked; 0 if it is not. */
    long leftMillis(WorkerId worker) {
        return blocks(worker) ? Math.max(1, Objects.requireNonNull(blockedUntil.get(worker)) - clock.millis()) : 0;
    }

    public boolean blocks(WorkerId worker) {
        return blockedUntil.containsKey(worker);
    }

    private void expire(WorkerId worker) {
        if (blocks(worker) && clock.millis() >= Objects.requireNonNull(blockedUntil.get(worker))) {
            unblock(worker);
        }
    }
}

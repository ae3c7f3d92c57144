package io.berth.core.resources.blocklist;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.spi.WorkerId;
import java.util.List;
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
    private final SortedMap<WorkerId, Block> blocked = new TreeMap<>();

    private record Block(long until, Timers.Cancellable timer) {}

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
        Block before = blocked.get(worker);
        if (before != null && before.until() >= until) {
            return false;
        }
        if (before != null) {
            before.timer().cancel();
        }
        put(worker, until);
        if (before == null) {
            changed.accept(worker);
        }
        return true;
    }

    private void put(WorkerId worker, long until) {
        Timers.Cancellable timer = mainThread.schedule(until - clock.millis(), () -> expire(worker, until));
        blocked.put(worker, new Block(until, timer));
    }

    /** A timer may run before its time if the clock slowed down: then another one follows, or the block would stay. */
    private void expire(WorkerId worker, long until) {
        if (clock.millis() < until) {
            put(worker, until);
        } else {
            unblock(worker);
        }
    }

    /** The worker may receive slots again. */
    void unblock(WorkerId worker) {
        mainThread.assertCurrent();
        Block ended = blocked.remove(worker);
        if (ended != null) {
            ended.timer().cancel();
            changed.accept(worker);
        }
    }

    /** A copy, by id. */
    List<WorkerId> workers() {
        return List.copyOf(blocked.keySet());
    }

    /** For how long a worker is still blocked; 0 if it is not. */
    long leftMillis(WorkerId worker) {
        Block block = blocked.get(worker);
        return block == null ? 0 : Math.max(1, block.until() - clock.millis());
    }

    public boolean blocks(WorkerId worker) {
        return blocked.containsKey(worker);
    }
}

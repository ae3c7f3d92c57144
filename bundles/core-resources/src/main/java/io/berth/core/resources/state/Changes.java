package io.berth.core.resources.state;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Changes that nobody has acted on yet. The first one submits one action to the main thread, which acts on all changes
 * up to then: however many messages change something, backends receive one declaration and one check is requested.
 * Confined to the main thread.
 */
public final class Changes {

    public enum Change {
        /** Workers, slots or requirements changed: they are planned after the check delay. */
        CLUSTER,
        /** A worker registered that slots are planned on: they are planned at once. */
        AWAITED_WORKER,
        /** Policies, specs or limits changed: a plan is made even if the cluster did not change. */
        POLICY,
        /** Workers are blocked or leave, or no longer: JobMasters receive the lists. */
        BLOCKS,
        /** Workers that left are gone: JobMasters receive the lists with the next change, or shortly after. */
        GONE,
        /** Backends may have to start or stop workers. */
        DEMAND,
        /** Jobs may wait for another reason. */
        REASONS
    }

    private final Executor mainThread;
    private final Consumer<Set<Change>> flush;
    private Set<Change> marked = EnumSet.noneOf(Change.class);

    /** @param flush acts on the changes; runs on the main thread */
    public Changes(Executor mainThread, Consumer<Set<Change>> flush) {
        this.mainThread = mainThread;
        this.flush = flush;
    }

    public void mark(Change change) {
        if (marked.isEmpty()) {
            mainThread.execute(this::flush);
        }
        marked.add(change);
    }

    private void flush() {
        Set<Change> now = marked;
        marked = EnumSet.noneOf(Change.class);
        flush.accept(now);
    }
}

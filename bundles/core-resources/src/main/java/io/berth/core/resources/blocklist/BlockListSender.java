package io.berth.core.resources.blocklist;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Sends the blocked workers to JobMasters. Each list has its own number, and the newest one is repeated until it is
 * acknowledged: a JobMaster with an old list would keep refusing slots of a worker. Confined to the main thread.
 */
final class BlockListSender {

    private static final long RETRY_MILLIS = 1_000;

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final RequirementLedger ledger;
    private final Supplier<List<WorkerId>> blocked;
    private final Map<JobId, Long> newest = new TreeMap<>();
    private long sent;

    /** @param blocked all blocked workers */
    BlockListSender(
            ResourceManagerId id, MainThread mainThread, RequirementLedger ledger, Supplier<List<WorkerId>> blocked) {
        this.id = id;
        this.mainThread = mainThread;
        this.ledger = ledger;
        this.blocked = blocked;
    }

    /** The blocked workers changed. */
    void changed() {
        newest.keySet()
                .removeIf(job -> ledger.find(job).flatMap(JobEntry::master).isEmpty());
        List<WorkerId> now = blocked.get();
        ledger.all().forEach(job -> job.master().ifPresent(master -> send(job, master, now)));
    }

    /** A JobMaster has registered. Lists that were sent to the previous one no longer apply. */
    void registered(JobEntry job, JobEntry.Master master) {
        newest.remove(job.id);
        List<WorkerId> now = blocked.get();
        if (!now.isEmpty()) {
            send(job, master, now);
        }
    }

    private void send(JobEntry job, JobEntry.Master master, List<WorkerId> workers) {
        mainThread.assertCurrent();
        long number = ++sent;
        newest.put(job.id, number);
        mainThread.whenComplete(master.gateway().blockWorkers(id, number, workers), (done, failure) -> {
            if (failure != null && isNewest(job, master, number)) {
                mainThread.schedule(RETRY_MILLIS, () -> {
                    if (isNewest(job, master, number)) {
                        send(job, master, blocked.get());
                    }
                });
            }
        });
    }

    private boolean isNewest(JobEntry job, JobEntry.Master master, long number) {
        return Long.valueOf(number).equals(newest.get(job.id))
                && job.master().filter(present -> present == master).isPresent();
    }
}

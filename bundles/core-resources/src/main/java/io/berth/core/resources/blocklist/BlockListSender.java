package io.berth.core.resources.blocklist;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Sends the workers that are blocked, and those that leave, to JobMasters. Each list is complete and has its own number,
 * and the newest one is repeated until it is acknowledged: a JobMaster with an old list would keep refusing slots of a
 * worker, or stay on one that leaves. Confined to the main thread.
 */
final class BlockListSender {

    private static final long RETRY_MILLIS = 1_000;
    /** Jobs that have ended are forgotten after so many registrations, or when there are twice as many jobs. */
    private static final int ENDED_KEPT = 10;

    /** What is sent. */
    record Lists(List<WorkerId> blocked, List<LeavingWorker> leaving) {

        private SortedSet<WorkerId> left() {
            SortedSet<WorkerId> left = new TreeSet<>();
            leaving.forEach(worker -> left.add(worker.worker()));
            return Collections.unmodifiableSortedSet(left);
        }
    }

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final RequirementLedger ledger;
    private final Supplier<Lists> lists;
    private final Map<JobId, Long> newest = new TreeMap<>();
    /** The last acknowledged number of each job. */
    private final Map<JobId, Long> acknowledged = new TreeMap<>();

    private int forgetAt = ENDED_KEPT;
    private long sent;

    /** @param lists all workers that are blocked or leave */
    BlockListSender(ResourceManagerId id, MainThread mainThread, RequirementLedger ledger, Supplier<Lists> lists) {
        this.id = id;
        this.mainThread = mainThread;
        this.ledger = ledger;
        this.lists = lists;
    }

    /** The workers changed. */
    void changed() {
        forgetEnded();
        Lists now = lists.get();
        ledger.all().forEach(job -> job.master().ifPresent(master -> send(job, master, now)));
    }

    /**
     * A JobMaster has registered. Lists that were sent to the previous one no longer apply. It may know a list of an
     * earlier registration, so that it receives the present one even if it is empty.
     *
     * @param known whether the same JobMaster was registered before
     */
    void registered(JobEntry job, JobEntry.Master master, boolean known) {
        if (newest.size() >= forgetAt) {
            forgetEnded();
        }
        newest.remove(job.id);
        if (!known) {
            ledger.leaves(job, Collections.emptySortedSet());
        }
        send(job, master, lists.get());
    }

    private void forgetEnded() {
        newest.keySet()
                .removeIf(job -> ledger.find(job).flatMap(JobEntry::master).isEmpty());
        acknowledged.keySet().retainAll(newest.keySet());
        forgetAt = 2 * newest.size() + ENDED_KEPT;
    }

    /** The jobs that have received a list, with some that have ended. */
    SortedSet<JobId> jobs() {
        SortedSet<JobId> jobs = new TreeSet<>(newest.keySet());
        jobs.addAll(acknowledged.keySet());
        return jobs;
    }

    private void send(JobEntry job, JobEntry.Master master, Lists list) {
        mainThread.assertCurrent();
        long number = ++sent;
        newest.put(job.id, number);
        mainThread.whenComplete(
                master.gateway().blockWorkers(id, number, list.blocked(), list.leaving()), (done, failure) -> {
                    if (failure == null) {
                        acknowledged(job, master, number, list);
                    } else if (isNewest(job, master, number)) {
                        mainThread.schedule(RETRY_MILLIS, () -> {
                            if (isNewest(job, master, number)) {
                                send(job, master, lists.get());
                            }
                        });
                    }
                });
    }

    /** From now on the job knows which slots it has to replace. */
    private void acknowledged(JobEntry job, JobEntry.Master master, long number, Lists list) {
        if (job.master().filter(present -> present == master).isPresent()
                && number > acknowledged.getOrDefault(job.id, 0L)) {
            acknowledged.put(job.id, number);
            ledger.leaves(job, list.left());
        }
    }

    private boolean isNewest(JobEntry job, JobEntry.Master master, long number) {
        return Long.valueOf(number).equals(newest.get(job.id))
                && job.master().filter(present -> present == master).isPresent();
    }
}

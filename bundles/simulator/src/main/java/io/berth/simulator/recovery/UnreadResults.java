package io.berth.simulator.recovery;

import io.berth.core.api.task.PartitionId;
import io.berth.simulator.job.JobStore;
import io.berth.simulator.oracle.Ledger;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.JobId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Finds stored results that nobody can read (oracle R): of a job that has ended, or of a JobMaster that no longer leads
 * its job. Workers delete them when they learn of it, and without that when they have waited for the JobMaster as long
 * as for one that owns slots. Time counts only while the world has no faults, from zero each time.
 */
final class UnreadResults {

    private record Found(PartitionId partition, String process) implements Comparable<Found> {

        @Override
        public int compareTo(Found other) {
            int result = partition.compareTo(other.partition);
            return result == 0 ? process.compareTo(other.process) : result;
        }
    }

    private final World world;
    private final long mostNanos;
    private final Function<JobId, Optional<Long>> leading;
    private SortedMap<Found, Long> since = new TreeMap<>();

    /**
     * @param mostNanos how long such a result may stay
     * @param leading the epoch of the JobMaster of a job; empty while it has none
     */
    UnreadResults(World world, long mostNanos, Function<JobId, Optional<Long>> leading) {
        this.world = world;
        this.mostNanos = mostNanos;
        this.leading = leading;
    }

    /** @throws Ledger.Violation when a worker has stored such a result for too long */
    void look() {
        if (world.exchange.results().size() == 0) {
            since.clear();
            return;
        }
        SortedMap<Found, Long> next = new TreeMap<>();
        SortedMap<JobId, Optional<Long>> epochs = new TreeMap<>();
        for (Worker worker : world.workers()) {
            worker.life()
                    .ifPresent(process -> world.exchange.results().on(process).forEach(partition -> {
                        JobId job = partition.producer().job();
                        boolean hasEnded = world.jobs
                                .find(job)
                                .filter(JobStore.Stored::hasEnded)
                                .isPresent();
                        boolean isLeading = epochs.computeIfAbsent(job, leading)
                                .filter(epoch -> epoch == partition.producer().epoch())
                                .isPresent();
                        if (hasEnded || !isLeading) {
                            should(next, new Found(partition, process.toString()), hasEnded);
                        }
                    }));
        }
        since = next;
    }

    private void should(SortedMap<Found, Long> next, Found found, boolean hasEnded) {
        long now = world.time.now();
        long began = since.getOrDefault(found, now);
        next.put(found, began);
        if (now - began > mostNanos) {
            throw new Ledger.Violation("R: " + found.process() + " stores " + found.partition() + " since "
                    + (now - began) / VirtualTime.SECOND + " s although "
                    + (hasEnded ? "its job has ended" : "its JobMaster no longer leads"));
        }
    }
}

package io.berth.core.scheduler.job;

import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.job.JobFailure.TaskFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The latest failures of a job: of one execution, or of one region that was restarted alone. Confined to the main thread
 * of the job.
 */
final class FailureLog {

    /** The region of a failure that concerns the whole job. */
    static final int ALL = -1;

    private static final class Entry {

        private final long execution;
        private final int region;
        private final List<TaskFailure> others = new ArrayList<>();
        private TaskFailure cause;
        private boolean consequence;
        private int othersInAll;
        private boolean closed;

        Entry(long execution, int region, TaskFailure cause, boolean consequence) {
            this.execution = execution;
            this.region = region;
            this.cause = cause;
            this.consequence = consequence;
        }

        void add(TaskFailure later, boolean isConsequence) {
            TaskFailure other = later;
            if (consequence && !isConsequence) {
                other = cause;
                cause = later;
                consequence = false;
            }
            othersInAll++;
            if (others.size() < JobFailure.MAX_OTHERS) {
                others.add(other.shortened());
            }
        }
    }

    private final Deque<Entry> entries = new ArrayDeque<>();

    /**
     * A task failed.
     *
     * @param region that is restarted alone, or {@link #ALL}
     * @param consequence whether something else caused it, which may be told later
     */
    void add(long execution, int region, TaskFailure failure, boolean consequence) {
        Optional<Entry> open = open(execution, region);
        if (open.isPresent()) {
            open.get().add(failure, consequence);
            return;
        }
        if (entries.size() == JobEvents.MAX_FAILURES) {
            entries.removeFirst();
        }
        entries.addLast(new Entry(execution, region, failure, consequence));
    }

    private Optional<Entry> open(long execution, int region) {
        for (Iterator<Entry> newest = entries.descendingIterator(); newest.hasNext(); ) {
            Entry entry = newest.next();
            if (entry.execution != execution) {
                return Optional.empty();
            }
            if (!entry.closed && (region == ALL || entry.region == region)) {
                return Optional.of(entry);
            }
        }
        return Optional.empty();
    }

    /** The region begins again: its later failures have another cause. */
    void close(long execution, int region) {
        open(execution, region).ifPresent(entry -> entry.closed = true);
    }

    List<JobFailure> failures() {
        return entries.stream()
                .map(entry -> new JobFailure(entry.execution, entry.cause, entry.others, entry.othersInAll))
                .toList();
    }
}

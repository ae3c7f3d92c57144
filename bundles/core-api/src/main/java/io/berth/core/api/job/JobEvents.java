package io.berth.core.api.job;

import io.berth.core.api.job.JobRescale.Outcome;
import java.util.ArrayList;
import java.util.List;

/**
 * What ended executions of a job, and what changed how it runs. Of each list only the last ones are kept, the oldest
 * first.
 */
public record JobEvents(List<JobFailure> failures, List<JobRescale> rescales) {

    public static final JobEvents NONE = new JobEvents(List.of(), List.of());

    public static final int MAX_FAILURES = 16;
    public static final int MAX_RESCALES = 50;
    /** How many changes of vertices and groups all rescales have together, unless it is one rescale. */
    public static final int MAX_CHANGES = 2_000;

    public JobEvents {
        failures = last(failures, MAX_FAILURES);
        rescales = last(rescales, fitting(rescales));
    }

    private static int fitting(List<JobRescale> all) {
        int kept = 0;
        int changes = 0;
        while (kept < Math.min(all.size(), MAX_RESCALES)) {
            JobRescale next = all.get(all.size() - 1 - kept);
            changes += next.vertices().size() + next.groups().size();
            if (kept > 0 && changes > MAX_CHANGES) {
                break;
            }
            kept++;
        }
        return kept;
    }

    private static <T> List<T> last(List<T> all, int most) {
        return List.copyOf(all.subList(Math.max(0, all.size() - most), all.size()));
    }

    /** These events, and then later ones. */
    public JobEvents then(JobEvents later) {
        List<JobFailure> allFailures = new ArrayList<>(failures);
        allFailures.addAll(later.failures);
        List<JobRescale> allRescales = new ArrayList<>(rescales);
        allRescales.addAll(later.rescales);
        return new JobEvents(allFailures, allRescales);
    }

    /** After the loss of the JobMaster: what was under way will not end. Stack traces are left out. */
    public JobEvents interrupted() {
        return new JobEvents(
                failures.stream().map(JobFailure::shortened).toList(), endingWith(Outcome.JOB_MASTER_LOST));
    }

    /** The job has ended while it had no JobMaster. */
    public JobEvents ended() {
        return new JobEvents(failures, endingWith(Outcome.JOB_ENDED));
    }

    private List<JobRescale> endingWith(Outcome outcome) {
        return rescales.stream()
                .map(rescale -> rescale.outcome() == Outcome.UNDER_WAY ? rescale.endingWith(outcome) : rescale)
                .toList();
    }
}

package io.berth.scaling.schedule;

import io.berth.policy.support.scaling.PatientJudgement;
import io.berth.scaling.schedule.Timetable.Entry;
import io.berth.scaling.schedule.Timetable.Occurrence;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingSession;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Desires what the timetable says at the wall-clock time of the view, and asks to be called again when it says something
 * else. Vertices without entries have what the job requests. Decides from the view alone and keeps nothing.
 */
final class ScheduleSession implements ScalingSession {

    /** The longest review, so that a wall clock that jumps is seen at the latest then. */
    private static final long DAY_MILLIS = 86_400_000;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ROOT);

    private final JobView job;
    private final Timetable[] tables;
    private final PatientJudgement patience;
    /** What the decision desires; each one writes it again. */
    private final int[] desired;

    ScheduleSession(JobView job, Timetable general, SortedMap<String, Timetable> own, long waitMillis) {
        this.job = job;
        tables = new Timetable[job.vertices()];
        for (int vertex = 0; vertex < tables.length; vertex++) {
            tables[vertex] = own.getOrDefault(job.vertex(vertex), general);
        }
        patience = new PatientJudgement(job, waitMillis);
        desired = new int[tables.length];
    }

    @Override
    public void delta() {
        // It has no state to update.
    }

    @Override
    public void desire(ParallelismBuilder result) {
        Instant now = Instant.ofEpochMilli(job.wallTime());
        long soonest = Long.MAX_VALUE;
        String reason = "there is no entry";
        for (int vertex = 0; vertex < tables.length; vertex++) {
            Timetable table = tables[vertex];
            Optional<Occurrence> present = table.at(now);
            Optional<Occurrence> next = table.after(now);
            desired[vertex] = present.isEmpty()
                    ? job.desired(vertex)
                    : within(vertex, present.get().entry());
            result.parallelism(vertex, desired[vertex]);
            if (present.isPresent() && next.isPresent()) {
                long millis = next.get().from().toEpochMilli() - now.toEpochMilli();
                if (millis < soonest) {
                    soonest = millis;
                    reason = reason(table, present.get(), next.get());
                }
            }
        }
        result.reason(reason);
        if (soonest < Long.MAX_VALUE) {
            result.reviewAfter(Math.min(soonest, DAY_MILLIS));
        }
    }

    private static String reason(Timetable table, Occurrence present, Occurrence next) {
        return "since " + TIME.format(present.from().atZone(table.zone())) + " the entry '"
                + present.entry().text() + "' applies; next on "
                + TIME.format(next.from().atZone(table.zone())) + ", "
                + table.zone() + ": '" + next.entry().text() + "'";
    }

    private int within(int vertex, Entry entry) {
        long tasks = entry.value().of(job.maximum(vertex));
        return (int) Math.max(job.minimum(vertex), Math.min(job.maximum(vertex), tasks));
    }

    @Override
    public void judge(FeasibleChange change, JudgementBuilder result) {
        patience.judge(desired, change, result);
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}

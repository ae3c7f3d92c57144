package io.berth.simulator.traces;

import io.berth.simulator.traces.TraceJob.Demand;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Logs in the Standard Workload Format 2 of the Parallel Workloads Archive. A job is a gang of its processors, cut
 * into slots with a maximum number of processors. Waiting times in the log are ignored.
 */
final class Swf {

    static final String NAME = "swf";
    static final int FIELDS = 18;

    private static final int NUMBER = 0;
    private static final int SUBMIT = 1;
    private static final int RUN = 3;
    private static final int ALLOCATED = 4;
    private static final int USED_MEMORY = 6;
    private static final int REQUESTED = 7;
    private static final int REQUESTED_TIME = 8;
    private static final int REQUESTED_MEMORY = 9;
    private static final int STATUS = 10;
    private static final int USER = 11;
    private static final int QUEUE = 14;
    private static final long CANCELLED = 5;
    private static final long MAX_SECONDS = 100_000_000_000L;
    private static final long MAX_PROCESSORS = 1_000_000;
    /** For a processor, 8 TiB, so that a slot of all processors can be counted in bytes. */
    private static final long MAX_KIBIBYTES = 1L << 33;

    private static final long MAX_NUMBER = 1L << 40;
    /** The memory of a processor when the log does not say. */
    private static final long UNKNOWN_MEMORY_BYTES = 1 << 20;

    private Swf() {}

    /** @param slotCpus maximum processors of a slot; the rest of a job is one smaller slot */
    static Read<TraceJob> jobs(TraceFile file, int slotCpus, int limit) {
        List<TraceJob> jobs = new ArrayList<>();
        Holes holes = new Holes();
        long last = -1;
        for (Optional<String> line = file.next(); line.isPresent() && jobs.size() < limit; line = file.next()) {
            if (line.get().isBlank() || line.get().startsWith(";")) {
                continue;
            }
            Row row = Row.blanks(file, line.get());
            row.requireSize(FIELDS, "those of the Standard Workload Format");
            long number = row.whole(NUMBER, "job number", 0, MAX_NUMBER);
            if (last >= 0 && number > last + 1) {
                holes.count("job numbers missing in the log", number - last - 1);
            }
            last = Math.max(last, number);
            job(row, slotCpus, holes).ifPresent(jobs::add);
        }
        return new Read<>(NAME, jobs, holes.counts());
    }

    private static Optional<TraceJob> job(Row row, int slotCpus, Holes holes) {
        OptionalLong submit = row.wholeOrUnknown(SUBMIT, "submit time", 0, MAX_SECONDS);
        OptionalLong run = row.wholeOrUnknown(RUN, "run time", 0, MAX_SECONDS);
        OptionalLong allocated = row.wholeOrUnknown(ALLOCATED, "allocated processors", 0, MAX_PROCESSORS);
        OptionalLong requested = row.wholeOrUnknown(REQUESTED, "requested processors", 0, MAX_PROCESSORS);
        OptionalLong status = row.wholeOrUnknown(STATUS, "status", 0, CANCELLED);
        if (status.orElse(0) == CANCELLED && run.orElse(0) == 0) {
            holes.count("jobs left out: canceled before they started");
            return Optional.empty();
        }
        if (submit.isEmpty() || run.isEmpty()) {
            holes.count("jobs left out: " + (run.isEmpty() ? "run" : "submit") + " time not known");
            return Optional.empty();
        }
        if (allocated.orElse(0) < 1) {
            if (requested.orElse(0) < 1) {
                holes.count("jobs left out: neither allocated nor requested processors known");
                return Optional.empty();
            }
            holes.count("jobs without allocated processors: requested processors count");
        }
        int processors = (int) (allocated.orElse(0) < 1 ? requested : allocated).getAsLong();
        OptionalLong user = row.wholeOrUnknown(USER, "user", 0, MAX_NUMBER);
        OptionalLong queue = row.wholeOrUnknown(QUEUE, "queue", 0, MAX_NUMBER);
        if (user.isEmpty()) {
            holes.count("jobs without user");
        }
        if (queue.isEmpty()) {
            holes.count("jobs without queue");
        }
        return Optional.of(new TraceJob(
                        row.text(NUMBER),
                        submit.getAsLong() * 1_000,
                        OptionalLong.of(run.getAsLong() * 1_000),
                        demands(processors, slotCpus, memory(row, holes)),
                        user.isEmpty() ? "" : row.text(USER),
                        queue.isEmpty() ? "" : row.text(QUEUE))
                .expecting(requestedMillis(row, holes)));
    }

    private static OptionalLong requestedMillis(Row row, Holes holes) {
        OptionalLong requested = row.wholeOrUnknown(REQUESTED_TIME, "requested time", 0, MAX_SECONDS);
        if (requested.orElse(0) == 0) {
            holes.count("jobs without requested time");
            return OptionalLong.empty();
        }
        return OptionalLong.of(requested.getAsLong() * 1_000);
    }

    /** In bytes for each processor. */
    private static long memory(Row row, Holes holes) {
        OptionalLong requested = row.wholeOrUnknown(REQUESTED_MEMORY, "requested memory", 0, MAX_KIBIBYTES);
        OptionalLong used = row.wholeOrUnknown(USED_MEMORY, "used memory", 0, MAX_KIBIBYTES);
        if (requested.isEmpty() && used.isEmpty()) {
            holes.count("jobs without memory: 1 MiB per processor counts");
            return UNKNOWN_MEMORY_BYTES;
        }
        return (requested.isPresent() ? requested : used).getAsLong() << 10;
    }

    private static List<Demand> demands(int processors, int slotCpus, long memory) {
        List<Demand> demands = new ArrayList<>();
        if (processors / slotCpus > 0) {
            demands.add(new Demand(slot(slotCpus, memory), processors / slotCpus));
        }
        if (processors % slotCpus > 0) {
            demands.add(new Demand(slot(processors % slotCpus, memory), 1));
        }
        return demands;
    }

    private static ResourceProfile slot(int processors, long memory) {
        return ResourceProfile.of(processors * 1_000L, processors * memory);
    }
}

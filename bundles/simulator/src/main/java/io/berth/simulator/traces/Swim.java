package io.berth.simulator.traces;

import io.berth.simulator.traces.TraceJob.Demand;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Samples of MapReduce workloads by SWIM: arrivals and bytes. A job is a gang. It has one slot for each split of the
 * largest of its inputs and outputs, up to a maximum. It runs for a start-up time plus the time that its slots
 * together need for all bytes that it reads, shuffles and writes.
 */
final class Swim {

    static final String NAME = "swim";
    static final int FIELDS = 6;

    static final int MAX_SLOTS = 100;
    static final long SPLIT_BYTES = 128L << 20;
    static final long BYTES_PER_SECOND = 20L << 20;
    static final long START_MILLIS = 10_000;

    private static final String COLUMNS = "job, submit time, gap, input, shuffle and output bytes, separated by tabs";
    private static final List<String> BYTES = List.of("map input bytes", "shuffle bytes", "reduce output bytes");
    private static final int FIRST_BYTES = 3;
    private static final long MAX_SECONDS = 100_000_000_000L;
    private static final long MAX_BYTES = 1L << 50;
    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1L << 30);

    private Swim() {}

    static Read<TraceJob> jobs(TraceFile file, int limit) {
        List<TraceJob> jobs = new ArrayList<>();
        Holes holes = new Holes();
        for (Optional<String> line = file.next(); line.isPresent() && jobs.size() < limit; line = file.next()) {
            if (line.get().isBlank()) {
                continue;
            }
            Row row = Row.separated(file, line.get(), '\t');
            row.requireSize(FIELDS, COLUMNS);
            long most = 0;
            long sum = 0;
            for (int index = 0; index < BYTES.size(); index++) {
                long bytes = row.whole(FIRST_BYTES + index, BYTES.get(index), 0, MAX_BYTES);
                most = Math.max(most, bytes);
                sum += bytes;
            }
            if (sum == 0) {
                holes.count("jobs without bytes: they run for the start-up time");
            }
            holes.count("jobs without run time, slots and user: derived from their bytes, with one user");
            int slots = (int) Math.max(1, Math.min(MAX_SLOTS, (most + SPLIT_BYTES - 1) / SPLIT_BYTES));
            jobs.add(new TraceJob(
                    OwnFormat.name(row, 0, "job"),
                    row.whole(1, "submit time", 0, MAX_SECONDS) * 1_000,
                    OptionalLong.of(runMillis(sum, slots)),
                    List.of(new Demand(SLOT, slots)),
                    "",
                    ""));
        }
        return new Read<>(NAME, jobs, holes.counts());
    }

    static long runMillis(long bytes, int slots) {
        return START_MILLIS + Math.round(1_000.0 * bytes / BYTES_PER_SECOND / slots);
    }
}

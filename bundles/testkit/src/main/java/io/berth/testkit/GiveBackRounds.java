package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.PlacementSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A pool of four workers in which all jobs return what the strategy asks for, and want it again at once. Some jobs run,
 * and one waits for all its slots.
 */
final class GiveBackRounds {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 100);
    private static final int WORKERS = 4;
    private static final int JOBS = 3;
    /** What is returned must be placed again before a strategy may want more. */
    private static final int QUIET_ROUNDS = 5;

    private record Slot(int job, int worker, long since) {}

    private final ArrayWorkersView workers = new ArrayWorkersView();
    private final List<Slot> slots = new ArrayList<>();
    private final int[] minimum = new int[JOBS];
    private final int[] missing = new int[JOBS];
    private int gang;
    private long now;

    GiveBackRounds(Random random) {
        for (int worker = 0; worker < WORKERS; worker++) {
            workers.worker(SLOT.times(8));
        }
        for (int job = 0; job < JOBS; job++) {
            minimum[job] = random.nextInt(4);
            for (int slot = random.nextInt(9); slot > 0; slot--) {
                take(job, random.nextInt(WORKERS));
            }
        }
        gang = random.nextInt(12);
    }

    ArrayWorkersView workers() {
        return workers;
    }

    private void take(int job, int worker) {
        if (workers.free(worker, 0) >= SLOT.cpuMillis()) {
            change(worker, 1);
            slots.add(new Slot(job, worker, now));
        }
    }

    private void change(int worker, int sign) {
        workers.take(worker, 0, sign * SLOT.cpuMillis());
        workers.take(worker, 1, sign * SLOT.heapBytes());
    }

    /** How many decisions ask for slots, until several in a row do not; at most {@code most}. */
    int busyRounds(PlacementSession session, int most) {
        int busy = 0;
        int quiet = 0;
        while (quiet < QUIET_ROUNDS && busy < most) {
            if (play(session)) {
                busy++;
                quiet = 0;
            } else {
                quiet++;
            }
        }
        return busy;
    }

    /** @return whether the strategy asked for slots */
    private boolean play(PlacementSession session) {
        now += 60_000;
        workers.now(now);
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
        List<Integer> jobs = new ArrayList<>();
        for (int job = 0; job < JOBS; job++) {
            admitted.allocations().minimum("job-" + job, "default", minimum[job]);
            if (missing[job] > 0) {
                admitted.add("job-" + job, SLOT, missing[job]);
                jobs.add(job);
            }
        }
        if (gang > 0) {
            admitted.add("gang", SLOT, gang, 0);
        }
        slots.forEach(slot ->
                admitted.allocations().add("job-" + slot.job(), "default", SLOT, slot.worker(), 1, slot.since()));
        RecordedPlacement plan = new RecordedPlacement(workers);
        session.place(admitted, plan);
        PlacementRules.check(workers, admitted, plan);
        apply(plan, jobs);
        session.delta(IntStream.range(0, WORKERS).toArray());
        return !plan.givenBack().isEmpty();
    }

    private void apply(RecordedPlacement plan, List<Integer> jobs) {
        List<Slot> returned = new ArrayList<>();
        plan.givenBack().forEach(proposal -> returned.add(slots.get(proposal.allocation())));
        for (RecordedPlacement.Run run : plan.runs()) {
            for (int slot = 0; slot < run.count(); slot++) {
                if (run.entry() < jobs.size()) {
                    take(jobs.get(run.entry()), run.worker());
                    missing[jobs.get(run.entry())]--;
                } else {
                    change(run.worker(), 1);
                    gang--;
                }
            }
        }
        for (Slot slot : returned) {
            assertThat(slots.remove(slot)).isTrue();
            change(slot.worker(), -1);
            missing[slot.job()]++;
        }
    }
}

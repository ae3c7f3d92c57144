package io.berth.testkit;

import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.PlacementSession;
import io.berth.testkit.rules.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Small pools in which a strategy decides again and again, and what it decides has consequences. */
final class PoolRounds {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 100);
    private static final int WORKERS = 4;

    private PoolRounds() {}

    /**
     * A pool of four workers in which all jobs return what the strategy asks for, and want it again at once. Some jobs run,
     * and one waits for all its slots.
     */
    static final class GiveBacks {

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

        GiveBacks(Random random) {
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
                Expect.that(slots.remove(slot), "asks twice for slot %s", slot);
                change(slot.worker(), -1);
                missing[slot.job()]++;
            }
        }
    }

    /**
     * A pool of four workers with eight slots each on which small jobs come and go, while a gang waits for many slots. When it
     * has run, the next gang comes. Some gangs are larger than the pool.
     */
    static final class Reservations {

        private static final int SLOTS = 8;
        private static final int MAX_WAITING = 8;
        private static final int MAX_DECISIONS_OF_JOB = 10;

        private record Running(int worker, int slots, int until) {}

        private final Random random;
        private final ArrayWorkersView workers = new ArrayWorkersView();
        private final List<Integer> waiting = new ArrayList<>();
        private final List<Running> running = new ArrayList<>();
        private int round;
        private int gangs;
        private int gang;

        Reservations(Random random) {
            this.random = random;
            for (int worker = 0; worker < WORKERS; worker++) {
                workers.worker(SLOT.times(SLOTS));
            }
            nextGang();
        }

        ArrayWorkersView workers() {
            return workers;
        }

        private void nextGang() {
            gangs++;
            gang = SLOTS + random.nextInt(WORKERS * SLOTS);
        }

        /** For how many decisions in a row room is reserved for one gang, at most. */
        int longestReservation(PlacementSession session, int decisions) {
            int longest = 0;
            int now = 0;
            int before = 0;
            for (int decision = 0; decision < decisions; decision++) {
                int of = gangs;
                boolean reserves = play(session);
                now = reserves ? (of == before ? now : 0) + 1 : 0;
                before = of;
                longest = Math.max(longest, now);
            }
            return longest;
        }

        /** @return whether the strategy reserved room for the gang */
        private boolean play(PlacementSession session) {
            round++;
            workers.now(round * 1_000L);
            running.stream().filter(one -> one.until() <= round).forEach(one -> take(one.worker(), -one.slots()));
            running.removeIf(one -> one.until() <= round);
            for (int arrivals = random.nextInt(4); arrivals > 0 && waiting.size() < MAX_WAITING; arrivals--) {
                waiting.add(1 + random.nextInt(3));
            }
            ArrayAdmittedView admitted = new ArrayAdmittedView(workers).add("gang-" + gangs, SLOT, gang, 0);
            waiting.forEach(slots -> admitted.add("small", SLOT, slots));
            RecordedPlacement plan = new RecordedPlacement(workers);
            session.delta(IntStream.range(0, WORKERS).toArray());
            session.place(admitted, plan);
            PlacementRules.check(workers, admitted, plan);
            apply(plan);
            return !plan.reserved().isEmpty();
        }

        private void apply(RecordedPlacement plan) {
            List<Integer> left = new ArrayList<>();
            for (int job = 0; job < waiting.size(); job++) {
                int missing = waiting.get(job) - plan.placed(job + 1);
                if (missing > 0) {
                    left.add(missing);
                }
            }
            waiting.clear();
            waiting.addAll(left);
            for (RecordedPlacement.Run run : plan.runs()) {
                take(run.worker(), run.count());
                running.add(new Running(run.worker(), run.count(), round + 1 + random.nextInt(MAX_DECISIONS_OF_JOB)));
            }
            if (plan.placed(0) > 0) {
                nextGang();
            }
        }

        private void take(int worker, int slots) {
            workers.take(worker, 0, slots * SLOT.cpuMillis());
            workers.take(worker, 1, slots * SLOT.heapBytes());
        }
    }
}

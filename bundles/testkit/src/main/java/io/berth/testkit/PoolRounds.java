package io.berth.testkit;

import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.matching.PlacementSession;
import io.berth.testkit.rules.Expect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Small pools in which a policy decides again and again, and what it decides has consequences. */
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
        /** What the last rescale cost each job; negative: not known. */
        private final int[] rescaleMillis = new int[JOBS];

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
            Arrays.setAll(rescaleMillis, job -> random.nextBoolean() ? -1 : random.nextInt(60_000));
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
                if (rescaleMillis[job] >= 0) {
                    admitted.allocations().lastRescaleMillis("job-" + job, rescaleMillis[job]);
                }
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
            plan.end();
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
            plan.end();
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

    /**
     * A pool with a tree of queues in which all jobs return what a distribution policy reclaims, and want it again at once. A
     * unit is not asked again in the next decision. What is admitted is placed if there is room, as the host does it: in
     * rounds, by rank, and within a rank in any order.
     */
    static final class Reclaims {

        private static final List<String> QUEUES = List.of("default", "a", "b", "b1", "b2");
        private static final int UNITS = 8;
        private static final int MAX_ROUNDS = 3;
        private static final int STEP_MILLIS = 600_000;
        /** More than the pause of a unit. */
        private static final int QUIET_DECISIONS = 5;

        private final Random random;
        private final ArrayDemandsView demands = new ArrayDemandsView();
        private final int size;
        private int free;
        /** Since the last call of the policy. */
        private final SortedSet<Integer> changed = new TreeSet<>();

        /** Units that were asked, and in which decision. */
        private final SortedMap<Integer, Integer> asked = new TreeMap<>();

        private final SortedSet<Integer> withMinimum = new TreeSet<>();
        /** A session that is open has seen the units before. */
        private boolean opened;

        private int decisions;
        private int jobs;

        /** How many slots the pool has. */
        int size() {
            return size;
        }

        Reclaims(Random random) {
            this.random = random;
            // In a large one, more slots could be reclaimed than one decision may.
            int scale = random.nextInt(5) == 0 ? 10 : 1;
            size = scale * (8 + random.nextInt(17));
            free = size;
            int first = random.nextInt(size / 2);
            int second = random.nextInt(size / 2);
            ResourceProfile limit = random.nextBoolean() ? SLOT.times(second + size / 4) : ResourceProfile.UNKNOWN;
            demands.queues()
                    .queue("a", "root", 1 + random.nextInt(3), SLOT.times(first), ResourceProfile.UNKNOWN)
                    .queue("b", "root", 1 + random.nextInt(3), SLOT.times(second), limit)
                    .queue("b1", "b", 1 + random.nextInt(3), SLOT.times(second / 2), ResourceProfile.UNKNOWN)
                    .queue("b2", "b", 1);
            for (int unit = 0; unit < UNITS; unit++) {
                submit(unit, scale, random.nextInt(3) > 0);
            }
            measure();
        }

        private void submit(int unit, int scale, boolean runs) {
            demands.put(unit, "job-" + jobs, jobs).arrived(unit, now()).waitingSince(unit, now());
            jobs++;
            demands.priority(unit, random.nextInt(3)).queue(unit, QUEUES.get(random.nextInt(QUEUES.size())));
            for (int group = random.nextInt(3) / 2; group >= 0; group--) {
                int slots = 1 + random.nextInt(4) / 3;
                int minimum = scale * random.nextInt(5);
                int desired = minimum + scale * random.nextInt(8);
                int has = runs ? Math.min(free / slots, random.nextInt(desired + 1)) : 0;
                free -= has * slots;
                demands.group(unit, SLOT.times(slots), minimum, desired, has);
            }
            withMinimum.remove(unit);
            changed.add(unit);
        }

        private long now() {
            return (long) decisions * STEP_MILLIS;
        }

        ArrayDemandsView demands() {
            return demands;
        }

        private int slots(int unit, int group) {
            return (int) (demands.profile(unit, group).cpuMillis() / SLOT.cpuMillis());
        }

        /** How many decisions reclaim slots, until several in a row do not; at most {@code most}. */
        int busyDecisions(AdmissionSession session, int most) {
            int busy = 0;
            int quiet = 0;
            while (quiet < QUIET_DECISIONS && busy < most) {
                if (decide(session)) {
                    busy++;
                    quiet = 0;
                } else {
                    quiet++;
                }
            }
            return busy;
        }

        /** A job ends, and another one comes. */
        void replaceOne() {
            int unit = random.nextInt(UNITS);
            for (int group = 0; group < demands.groups(unit); group++) {
                free += demands.allocated(unit, group) * slots(unit, group);
            }
            asked.remove(unit);
            submit(unit, 1, false);
            measure();
        }

        /** @return whether the policy reclaimed slots */
        boolean decide(AdmissionSession session) {
            decisions++;
            demands.now(now()).wallTime(now());
            asked.entrySet().removeIf(one -> {
                boolean over = one.getValue() < decisions - 1;
                if (over) {
                    demands.returnableAgain(one.getKey());
                    changed.add(one.getKey());
                }
                return over;
            });
            List<RecordedAdmission.Reclaimed> reclaimed = List.of();
            SortedSet<Integer> withoutRoom = new TreeSet<>();
            boolean leftOver = true;
            for (int round = 0; leftOver && round < MAX_ROUNDS; round++) {
                RecordedAdmission result = admit(session);
                reclaimed = round == 0 ? result.reclaimed() : reclaimed;
                leftOver = place(result, withoutRoom);
            }
            demands.endDecision();
            changed.addAll(withoutRoom);
            reclaimed.forEach(this::giveBack);
            measure();
            return !reclaimed.isEmpty();
        }

        private RecordedAdmission admit(AdmissionSession session) {
            if (!changed.isEmpty() && opened) {
                session.delta(changed.stream().mapToInt(Integer::intValue).toArray());
            }
            opened = true;
            changed.clear();
            RecordedAdmission result = new RecordedAdmission();
            session.admit(result);
            result.end();
            AdmissionRules.check(demands, result);
            return result;
        }

        /** @return whether something found no room */
        private boolean place(RecordedAdmission result, SortedSet<Integer> withoutRoom) {
            boolean leftOver = false;
            for (RecordedAdmission.Admitted one : inOrder(result)) {
                if (demands.candidate(one.unit()) && !(one.group() < 0 ? minimum(one.unit()) : above(one))) {
                    withoutRoom.add(one.unit());
                    leftOver = true;
                }
                changed.add(one.unit());
            }
            return leftOver;
        }

        /** Those of one rank in any order, but minimums first. */
        private List<RecordedAdmission.Admitted> inOrder(RecordedAdmission result) {
            SortedMap<Integer, List<RecordedAdmission.Admitted>> ranks = new TreeMap<>();
            for (int at = 0; at < result.admitted().size(); at++) {
                ranks.computeIfAbsent(result.ranks().get(at), rank -> new ArrayList<>())
                        .add(result.admitted().get(at));
            }
            List<RecordedAdmission.Admitted> order = new ArrayList<>();
            for (List<RecordedAdmission.Admitted> rank : ranks.values()) {
                Collections.shuffle(rank, random);
                rank.sort(Comparator.comparing(one -> one.group() >= 0));
                order.addAll(rank);
            }
            return order;
        }

        private boolean minimum(int unit) {
            int needed = 0;
            for (int group = 0; group < demands.groups(unit); group++) {
                needed += missing(unit, group) * slots(unit, group);
            }
            if (needed > free) {
                demands.withoutRoom(unit);
                return false;
            }
            for (int group = 0; group < demands.groups(unit); group++) {
                demands.placed(unit, group, missing(unit, group));
            }
            free -= needed;
            return true;
        }

        private int missing(int unit, int group) {
            return Math.max(0, demands.minimum(unit, group) - demands.allocated(unit, group));
        }

        private boolean above(RecordedAdmission.Admitted one) {
            int count = Math.min(one.count(), free / slots(one.unit(), one.group()));
            demands.placed(one.unit(), one.group(), count);
            free -= count * slots(one.unit(), one.group());
            if (count < one.count()) {
                demands.withoutRoom(one.unit(), one.group());
            }
            return count == one.count();
        }

        private void giveBack(RecordedAdmission.Reclaimed one) {
            demands.allocated(one.unit(), one.group(), demands.allocated(one.unit(), one.group()) - one.count());
            free += one.count() * slots(one.unit(), one.group());
            demands.paused(one.unit());
            asked.put(one.unit(), decisions);
            changed.add(one.unit());
        }

        /** What decisions of the pool see next. */
        private void measure() {
            demands.pool(SLOT.times(size), SLOT.times(free));
            for (int unit = 0; unit < UNITS; unit++) {
                int of = unit;
                boolean has = IntStream.range(0, demands.groups(unit)).allMatch(group -> missing(of, group) == 0);
                if (has && withMinimum.add(unit)) {
                    demands.runningSince(unit, now());
                } else if (!has && withMinimum.remove(unit)) {
                    demands.waitingSince(unit, now());
                }
            }
        }
    }
}

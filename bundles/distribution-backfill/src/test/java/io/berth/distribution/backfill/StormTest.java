package io.berth.distribution.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Small jobs never stop coming, with run times that are right, wrong or missing, while a job that needs much of the
 * pool waits. A step is a minute.
 */
class StormTest {

    private static final long MINUTE = 60_000;
    private static final int LONGEST_RUN = 10;
    private static final int ARRIVES = 15;
    private static final int PROMISE_AFTER = 10;
    private static final int STRICT_AFTER = 20;
    private static final int GIVEN_UP = 400;
    private static final int SEEDS = Integer.getInteger("berth.storms", 100);

    private static final Map<String, String> PROMISES =
            Map.of("promise.after", PROMISE_AFTER + " min", "promise.strict.after", STRICT_AFTER + " min");

    /** The slots of a unit on a worker. */
    private record Part(int worker, int cores) {}

    private static final class Job {
        private final int unit;
        private final long number;
        private final int slots;
        private final int cores;
        private final int run;
        private final List<Part> parts = new ArrayList<>();
        private int end = Integer.MAX_VALUE;

        Job(int unit, long number, int slots, int cores, int run) {
            this.unit = unit;
            this.number = number;
            this.slots = slots;
            this.cores = cores;
            this.run = run;
        }
    }

    private static final class Storm {
        private final Random random;
        private final ArrayDemandsView demands = new ArrayDemandsView();
        private final AdmissionSession session;
        private final int[] free;
        private final int all;
        private final List<Job> jobs = new ArrayList<>();
        private final TreeSet<Integer> changed = new TreeSet<>();
        private final BitSet used = new BitSet();
        private int minute;
        private long number;

        Storm(long seed, Map<String, String> configuration) throws InvalidConfigurationException {
            random = new Random(seed);
            free = new int[4 + random.nextInt(4)];
            Arrays.fill(free, 4);
            all = 4 * free.length;
            BackfillFactory factory = new BackfillFactory();
            session = factory.create(
                            FixedConfiguration.of(factory.describe(), configuration), FixedContext.of("pool default"))
                    .open(demands);
        }

        private Job arrives(int slots, int cores, int run, int expected) {
            int unit = used.nextClearBit(0);
            used.set(unit);
            demands.put(unit, "job-" + number, number)
                    .group(unit, ResourceProfile.of(cores * 1_000L, 0), slots, slots, 0)
                    .waitingSince(unit, minute * MINUTE);
            if (expected > 0) {
                demands.expectedRuntime(unit, expected * MINUTE);
            }
            Job job = new Job(unit, number++, slots, cores, run);
            jobs.add(job);
            changed.add(unit);
            return job;
        }

        /** It needs most of the pool, sometimes in slots that leave cores over on each worker. */
        private Job largeOneArrives() {
            int cores = 1 + random.nextInt(3);
            int most = free.length * (4 / cores);
            return arrives(most - random.nextInt(most / 3 + 1), cores, 5, 5);
        }

        private void smallOnesArrive() {
            // About 95 of 100 cores would be used all the time.
            for (double cores = all * 0.95; random.nextDouble() * 11 < cores; cores -= 11) {
                int run = 1 + random.nextInt(LONGEST_RUN);
                int expected = List.of(run, 0, 1, run + 2).get(random.nextInt(4));
                arrives(1 + random.nextInt(3), 1, run, expected);
            }
        }

        private void end() {
            for (Iterator<Job> each = jobs.iterator(); each.hasNext(); ) {
                Job job = each.next();
                if (job.end <= minute) {
                    job.parts.forEach(part -> free[part.worker()] += part.cores());
                    demands.remove(job.unit);
                    used.clear(job.unit);
                    changed.add(job.unit);
                    each.remove();
                }
            }
        }

        /** A decision, in up to three rounds as in the host. */
        private void decide() {
            demands.now(minute * MINUTE).wallTime(minute * MINUTE);
            boolean again = true;
            for (int round = 0; round < 3 && again; round++) {
                demands.pool(
                        ResourceProfile.of(all * 1_000L, 0),
                        ResourceProfile.of(Arrays.stream(free).sum() * 1_000L, 0));
                session.delta(changed.stream().mapToInt(Integer::intValue).toArray());
                changed.clear();
                RecordedAdmission result = new RecordedAdmission();
                session.admit(result);
                again = false;
                for (Admitted admitted : result.admitted()) {
                    again |= !place(admitted.unit());
                }
            }
            for (Job job : jobs) {
                if (!demands.candidate(job.unit)) {
                    changed.add(job.unit);
                }
            }
            demands.endDecision();
        }

        private boolean place(int unit) {
            Job job = jobs.stream().filter(one -> one.unit == unit).findFirst().orElseThrow();
            changed.add(unit);
            List<Part> parts = new ArrayList<>();
            int missing = job.slots;
            for (int worker = 0; worker < free.length && missing > 0; worker++) {
                int here = Math.min(missing, free[worker] / job.cores);
                if (here > 0) {
                    parts.add(new Part(worker, here * job.cores));
                    missing -= here;
                }
            }
            if (missing > 0) {
                demands.withoutRoom(unit);
                return false;
            }
            parts.forEach(part -> free[part.worker()] -= part.cores());
            job.parts.addAll(parts);
            job.end = minute + job.run;
            demands.allocated(unit, 0, job.slots).runningSince(unit, minute * MINUTE);
            return true;
        }

        private boolean earlierWait(Job than) {
            return jobs.stream().anyMatch(job -> job.number < than.number && job.end == Integer.MAX_VALUE);
        }

        /** How many minutes too late the large job starts; at most 0 when it starts within the bound. */
        int late() {
            int first = Integer.MAX_VALUE;
            Optional<Job> large = Optional.empty();
            for (minute = 0; minute < GIVEN_UP; minute++) {
                end();
                if (minute == ARRIVES) {
                    large = Optional.of(largeOneArrives());
                }
                smallOnesArrive();
                decide();
                if (large.isEmpty()) {
                    continue;
                }
                if (large.get().end < Integer.MAX_VALUE && first == Integer.MAX_VALUE) {
                    // It came before one that was submitted earlier.
                    return 0;
                }
                if (large.get().end < Integer.MAX_VALUE) {
                    int bound = Math.max(ARRIVES + PROMISE_AFTER + STRICT_AFTER, first) + 2 * LONGEST_RUN + 1;
                    return minute - bound;
                }
                if (first == Integer.MAX_VALUE && !earlierWait(large.get())) {
                    first = minute;
                }
            }
            return GIVEN_UP;
        }
    }

    @Test
    void aLargeJobStartsWithinTheBound() throws InvalidConfigurationException {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(new Storm(seed, PROMISES).late()).as("seed %s", seed).isLessThanOrEqualTo(0);
        }
    }

    @Test
    void withoutAPromiseMostLargeJobsDoNotStart() throws InvalidConfigurationException {
        int never = 0;
        for (int seed = 0; seed < 100; seed++) {
            never += new Storm(seed, Map.of("promise.after", "365 d")).late() == GIVEN_UP ? 1 : 0;
        }
        assertThat(never).isGreaterThan(50);
    }
}

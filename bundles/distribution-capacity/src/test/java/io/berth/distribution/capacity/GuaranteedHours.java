package io.berth.distribution.capacity;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import io.berth.testkit.RecordedAdmission.Reclaimed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Jobs of three queues on one pool, played in virtual time, to see what each queue has in each hour. A job runs with one
 * slot or more, the sooner the more it has, and returns slots when it is asked. A step is a minute.
 */
final class GuaranteedHours {

    static final List<String> QUEUES = List.of("half", "third", "fifth");
    /** Of 100 cores. */
    private static final int[] SHARES = {50, 30, 20};

    private static final int MINUTE_MILLIS = 60_000;
    private static final int HOUR = 60;
    private static final int MINIMUM = 1;
    private static final int MAX_DECISIONS = 5;
    private static final int MAX_ROUNDS = 3;

    /**
     * A job.
     *
     * @param queue by its number
     * @param minutes for which it runs with all slots that it desires
     */
    record Job(int arrival, int queue, int slots, int minutes) {}

    /**
     * What a queue had in the hours in which its jobs desired as much as is guaranteed to it, in each minute.
     *
     * @param worst largest part of the pool that was lacking in an hour, in percent, beside what others have as
     *     minimums beyond their guarantee
     * @param below hours in which more than 2 % of the pool were lacking
     */
    record Kept(int hours, double worst, int below) {}

    private final int cores;
    private final ArrayDemandsView demands = new ArrayDemandsView();
    private final SortedMap<Integer, Job> jobs = new TreeMap<>();
    /** Minutes of one slot that are left of a job, by unit. */
    private final SortedMap<Integer, Integer> left = new TreeMap<>();

    private final SortedSet<Integer> changed = new TreeSet<>();
    private final SortedSet<Integer> unused = new TreeSet<>();
    private final int[] hours = new int[SHARES.length];
    private final double[] worst = new double[SHARES.length];
    private final int[] below = new int[SHARES.length];
    private final long[] used = new long[SHARES.length];
    private final boolean[] wanted = new boolean[SHARES.length];
    /** Minimums beyond guarantees, over the minutes of an hour: nothing returns them. */
    private long borrowedMinimums;

    private int submitted;
    private int minute;
    private long review = Long.MAX_VALUE;

    GuaranteedHours(int cores) {
        this.cores = cores;
        for (int queue = 0; queue < SHARES.length; queue++) {
            demands.queues()
                    .queue(QUEUES.get(queue), "root", 1, core().times(guaranteed(queue)), ResourceProfile.UNKNOWN);
        }
    }

    private static ResourceProfile core() {
        return ResourceProfile.of(1_000, 100);
    }

    private int guaranteed(int queue) {
        return cores * SHARES[queue] / 100;
    }

    /** Plays until the last job has arrived. */
    List<Kept> play(List<Job> arrivals, Map<String, String> configuration) throws InvalidConfigurationException {
        List<Job> inOrder =
                arrivals.stream().sorted(Comparator.comparingInt(Job::arrival)).toList();
        CapacityFactory factory = new CapacityFactory();
        demands.pool(core().times(cores), core().times(cores));
        try (AdmissionSession session = factory.create(
                        FixedConfiguration.of(factory.describe(), configuration), FixedContext.of("pool default"))
                .open(demands)) {
            begin();
            int next = 0;
            for (; next < inOrder.size(); minute++) {
                demands.now((long) minute * MINUTE_MILLIS);
                // Each job was asked a minute ago or earlier.
                for (int unit : jobs.keySet()) {
                    demands.returnableAgain(unit);
                    changed.add(unit);
                }
                for (; next < inOrder.size() && inOrder.get(next).arrival() <= minute; next++) {
                    arrive(inOrder.get(next));
                }
                boolean again = !changed.isEmpty() || demands.now() >= review;
                for (int decision = 0; again && decision < MAX_DECISIONS; decision++) {
                    again = decide(session);
                }
                measure();
                work();
            }
        }
        List<Kept> kept = new ArrayList<>();
        for (int queue = 0; queue < SHARES.length; queue++) {
            kept.add(new Kept(hours[queue], worst[queue], below[queue]));
        }
        return kept;
    }

    private void arrive(Job job) {
        int unit = unused.isEmpty() ? demands.limit() : unused.first();
        unused.remove(unit);
        demands.put(unit, "job-" + submitted, submitted++)
                .group(unit, core(), MINIMUM, Math.min(cores, job.slots()), 0)
                .arrived(unit, demands.now())
                .waitingSince(unit, demands.now())
                .queue(unit, QUEUES.get(job.queue()));
        jobs.put(unit, job);
        left.put(unit, Math.max(1, job.minutes()) * Math.min(cores, job.slots()));
        changed.add(unit);
    }

    /** @return whether another decision may change more */
    private boolean decide(AdmissionSession session) {
        int all = jobs.keySet().stream()
                .mapToInt(unit -> demands.allocated(unit, 0))
                .sum();
        demands.pool(core().times(cores), core().times(cores - all));
        SortedSet<Integer> starting = new TreeSet<>();
        List<Reclaimed> reclaimed = List.of();
        boolean placed = false;
        boolean again = true;
        for (int round = 0; again && round < MAX_ROUNDS; round++) {
            session.delta(changed.stream().mapToInt(Integer::intValue).toArray());
            changed.clear();
            RecordedAdmission result = new RecordedAdmission();
            session.admit(result);
            result.violation(demands).ifPresent(broken -> {
                throw new IllegalStateException(broken);
            });
            if (round == 0) {
                reclaimed = result.reclaimed();
                review = Long.MAX_VALUE;
            }
            review = Math.min(review, demands.now() + result.reviewMillis().orElse(Long.MAX_VALUE / 2));
            again = false;
            for (Admitted one : result.admitted()) {
                int has = demands.allocated(one.unit(), 0);
                int count = one.group() < 0 ? MINIMUM - has : one.count();
                int fitting = Math.min(count, (int) (demands.free(0) / core().cpuMillis()));
                changed.add(one.unit());
                if (fitting > 0) {
                    placed = true;
                    demands.placed(one.unit(), 0, fitting);
                    if (has == 0) {
                        starting.add(one.unit());
                    }
                }
                if (fitting < count) {
                    again = true;
                    if (one.group() < 0) {
                        demands.withoutRoom(one.unit());
                    } else {
                        demands.withoutRoom(one.unit(), 0);
                    }
                }
            }
        }
        // The host also tells of units that found no room.
        changed.addAll(jobs.keySet());
        demands.endDecision();
        starting.forEach(unit -> demands.runningSince(unit, demands.now()));
        for (Reclaimed one : reclaimed) {
            demands.allocated(one.unit(), 0, demands.allocated(one.unit(), 0) - one.count())
                    .paused(one.unit());
        }
        return placed || !reclaimed.isEmpty();
    }

    private void begin() {
        borrowedMinimums = 0;
        for (int queue = 0; queue < SHARES.length; queue++) {
            used[queue] = 0;
            wanted[queue] = true;
        }
    }

    private void measure() {
        long[] desired = new long[SHARES.length];
        int[] minimums = new int[SHARES.length];
        jobs.forEach((unit, job) -> {
            minimums[job.queue()] += Math.min(MINIMUM, demands.allocated(unit, 0));
            used[job.queue()] += demands.allocated(unit, 0);
            desired[job.queue()] += demands.desired(unit, 0);
        });
        for (int queue = 0; queue < SHARES.length; queue++) {
            wanted[queue] &= desired[queue] >= guaranteed(queue);
            borrowedMinimums += Math.max(0, minimums[queue] - guaranteed(queue));
        }
        if (minute % HOUR < HOUR - 1) {
            return;
        }
        for (int queue = 0; queue < SHARES.length; queue++) {
            double lacking = 100.0 * (guaranteed(queue) - (double) (used[queue] + borrowedMinimums) / HOUR) / cores;
            if (wanted[queue]) {
                hours[queue]++;
                worst[queue] = Math.max(worst[queue], lacking);
                below[queue] += lacking > 2 ? 1 : 0;
            }
        }
        begin();
    }

    private void work() {
        for (int unit : List.copyOf(jobs.keySet())) {
            int still = left.merge(unit, -demands.allocated(unit, 0), Integer::sum);
            if (still <= 0) {
                jobs.remove(unit);
                left.remove(unit);
                demands.remove(unit);
                unused.add(unit);
                changed.add(unit);
            }
        }
    }
}

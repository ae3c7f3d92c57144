package io.berth.testkit.storm;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import io.berth.testkit.rules.BrokenRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A small pool in which small jobs never stop coming, so that it is always full, and some large units that would fit the
 * empty pool. They arrive together and need at least half of the pool each. There are two queues, one with a guarantee. A
 * step is a minute. Some units state how long they run, and some of them are wrong. Slots are placed first fit in the
 * order of admission, a minimum completely or not at all, in at most three rounds.
 */
public final class Storm {

    /** No unit runs for longer. */
    public static final int MAX_RUNTIME_MINUTES = 20;

    /** The large units arrive then, when the pool is full. */
    private static final int ARRIVAL = 10;

    private static final int MINUTE_MILLIS = 60_000;
    private static final int ROUNDS = 3;
    /** So many small units wait at any time. */
    private static final int BACKLOG = 8;
    /** Memory of a core. */
    private static final long HEAP = 100;

    private record Slot(int worker, int cores) {}

    private record Running(int until, List<Slot> slots) {}

    private final Random random;
    private final ArrayDemandsView demands = new ArrayDemandsView();
    private final int[] free;
    private final int cores;
    private final SortedMap<Integer, Running> running = new TreeMap<>();
    private final SortedMap<Integer, int[]> sizes = new TreeMap<>();
    private final SortedSet<Integer> large = new TreeSet<>();
    private final SortedSet<Integer> changed = new TreeSet<>();
    private final List<Integer> waits = new ArrayList<>();
    private int submitted;
    private int minute;

    /** @param seed for the pool and all jobs */
    public Storm(long seed) {
        random = new Random(seed);
        cores = 4 + random.nextInt(5);
        free = new int[2 + random.nextInt(3)];
        Arrays.fill(free, cores);
        ResourceProfile guaranteed = ResourceProfile.of(1_000, HEAP).times(random.nextInt(free.length * cores));
        demands.queues()
                .queue("first", "root", 1, guaranteed, ResourceProfile.UNKNOWN)
                .queue("second", "root", 1 + random.nextInt(3));
    }

    /**
     * Plays until all large units have started, or for at most so many minutes.
     *
     * @return how many minutes each large unit waited; those that did not start waited to the end
     * @throws InvalidConfigurationException when the policy does not accept the configuration
     */
    public List<Integer> waits(DistributionPolicyFactory factory, Map<String, String> configuration, int minutes)
            throws InvalidConfigurationException {
        try (AdmissionSession session = factory.create(
                        FixedConfiguration.of(factory.describe(), configuration), FixedContext.of("pool default"))
                .open(demands)) {
            while (minute < ARRIVAL || (!large.isEmpty() && minute < minutes)) {
                minute++;
                demands.now((long) minute * MINUTE_MILLIS);
                end();
                arrive();
                decide(session);
            }
        }
        large.forEach(unit -> waits.add(minute - ARRIVAL));
        return waits;
    }

    private void end() {
        List<Integer> ended = running.entrySet().stream()
                .filter(one -> one.getValue().until() <= minute)
                .map(Map.Entry::getKey)
                .toList();
        for (int unit : ended) {
            running.getOrDefault(unit, new Running(0, List.of()))
                    .slots()
                    .forEach(slot -> free[slot.worker()] += slot.cores());
            running.remove(unit);
            sizes.remove(unit);
            demands.remove(unit);
            changed.add(unit);
        }
    }

    private void arrive() {
        if (minute == ARRIVAL) {
            for (int count = 1 + random.nextInt(3); count > 0; count--) {
                int size = 1 + random.nextInt(cores);
                int most = free.length * (cores / size);
                int half = (free.length * cores / 2 + size - 1) / size;
                large.add(add("large", size, Math.min(most, half + random.nextInt(Math.max(1, most - half + 1)))));
            }
        }
        while (sizes.size() - running.size() - large.size() < BACKLOG) {
            int unit = add("small", 1, 1 + random.nextInt(2));
            demands.priority(unit, random.nextInt(10));
        }
    }

    private int add(String kind, int size, int slots) {
        int unit = 0;
        while (demands.present(unit)) {
            unit++;
        }
        submitted++;
        long now = (long) minute * MINUTE_MILLIS;
        demands.put(unit, kind + "-" + submitted, submitted)
                .group(unit, ResourceProfile.of(size * 1_000L, size * HEAP), slots, slots, 0)
                .arrived(unit, now)
                .waitingSince(unit, now)
                .queue(unit, random.nextBoolean() ? "first" : "second")
                .submitter(unit, "submitter-" + random.nextInt(3));
        int run = 1 + random.nextInt(MAX_RUNTIME_MINUTES);
        int stated = List.of(run, 0, 1, run + 2).get(random.nextInt(4));
        if (stated > 0) {
            demands.expectedRuntime(unit, (long) stated * MINUTE_MILLIS);
        }
        sizes.put(unit, new int[] {size, slots, run});
        changed.add(unit);
        return unit;
    }

    private void decide(AdmissionSession session) {
        SortedSet<Integer> withoutRoom = new TreeSet<>();
        boolean leftOver = true;
        for (int round = 0; leftOver && round < ROUNDS; round++) {
            int all = Arrays.stream(free).sum();
            int total = free.length * cores;
            demands.pool(
                    ResourceProfile.of(total * 1_000L, total * HEAP), ResourceProfile.of(all * 1_000L, all * HEAP));
            session.delta(changed.stream().mapToInt(Integer::intValue).toArray());
            changed.clear();
            RecordedAdmission result = new RecordedAdmission();
            session.admit(result);
            result.end();
            result.violation(demands).ifPresent(violation -> {
                throw new BrokenRule("the rule of admission that it breaks: " + violation);
            });
            leftOver = false;
            for (Admitted one : result.admitted()) {
                if (!place(one.unit())) {
                    leftOver = true;
                    demands.withoutRoom(one.unit());
                    withoutRoom.add(one.unit());
                }
                changed.add(one.unit());
            }
        }
        demands.endDecision();
        changed.addAll(withoutRoom);
    }

    private boolean place(int unit) {
        int[] size = sizes.getOrDefault(unit, new int[3]);
        List<Slot> slots = new ArrayList<>();
        for (int worker = 0; worker < free.length; worker++) {
            while (slots.size() < size[1] && free[worker] >= size[0]) {
                free[worker] -= size[0];
                slots.add(new Slot(worker, size[0]));
            }
        }
        if (slots.size() < size[1]) {
            slots.forEach(slot -> free[slot.worker()] += slot.cores());
            return false;
        }
        running.put(unit, new Running(minute + size[2], slots));
        demands.allocated(unit, 0, size[1]).runningSince(unit, (long) minute * MINUTE_MILLIS);
        if (large.remove(unit)) {
            waits.add(minute - ARRIVAL);
        }
        return true;
    }
}

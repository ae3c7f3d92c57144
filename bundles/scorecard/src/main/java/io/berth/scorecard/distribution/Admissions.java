package io.berth.scorecard.distribution;

import io.berth.scorecard.check.Check;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import io.berth.testkit.rules.Expect;
import io.berth.testkit.rules.Seeds;
import io.berth.testkit.storm.Storm;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

/** Small pools in which a distribution policy admits units. */
final class Admissions {

    /** A unit that fits the pool starts within so many minutes, which are four days. */
    static final int MAX_WAIT_MINUTES = 4 * 24 * 60;

    private static final long HEAP = 100;
    private static final int LARGEST_POOL = 40;
    private static final int ROUNDS = 3;
    private static final int MINUTE_MILLIS = 60_000;

    private final DistributionPolicyFactory factory;
    private final Seeds seeds;

    Admissions(DistributionPolicyFactory factory, Seeds seeds) {
        this.factory = factory;
        this.seeds = seeds;
    }

    /** A session of an instance of its own, with the defaults. */
    static AdmissionSession open(DistributionPolicyFactory factory, DemandsView demands)
            throws InvalidConfigurationException {
        return factory.create(FixedConfiguration.of(factory.describe(), Map.of()), FixedContext.of("pool default"))
                .open(demands);
    }

    private RecordedAdmission admit(DemandsView demands) throws InvalidConfigurationException {
        try (AdmissionSession session = open(factory, demands)) {
            RecordedAdmission result = new RecordedAdmission();
            session.admit(result);
            return result;
        }
    }

    private static ResourceProfile cores(int number) {
        return ResourceProfile.of(1_000L * number, HEAP * number);
    }

    private static ArrayDemandsView alone(int minimum, int pool) {
        return new ArrayDemandsView()
                .unit("job", 1)
                .group(0, cores(1), minimum, minimum + 2, 0)
                .arrived(0, 0)
                .waitingSince(0, 0)
                .pool(cores(pool), cores(pool));
    }

    private boolean admitsAlone(int minimum, int pool) throws InvalidConfigurationException {
        return admit(alone(minimum, pool)).admitted().stream().anyMatch(one -> one.unit() == 0 && one.group() < 0);
    }

    void admitsAUnitThatIsAlone() throws InvalidConfigurationException {
        seeds.oneIn(10).each(seed -> {
            int minimum = 1 + Seeds.random(seed).nextInt(10);
            Expect.that(
                    admitsAlone(minimum, 2 * minimum),
                    "does not admit the only unit, which needs %s of %s free slots",
                    minimum,
                    2 * minimum);
        });
    }

    void keepsAdmittingAUnitThatIsAloneWhenThePoolGrows() throws InvalidConfigurationException {
        seeds.oneIn(10).each(seed -> {
            int minimum = 1 + Seeds.random(seed).nextInt(10);
            boolean before = false;
            for (int pool = minimum; pool <= LARGEST_POOL; pool++) {
                boolean now = admitsAlone(minimum, pool);
                Expect.that(
                        now || !before,
                        "admits a unit of %s slots alone in a pool of %s, and not in one of %s",
                        minimum,
                        pool - 1,
                        pool);
                before = now;
            }
        });
    }

    /** Units with different needs, some of which run. */
    private static ArrayDemandsView random(int seed) {
        Random random = Seeds.random(seed);
        ArrayDemandsView demands = new ArrayDemandsView().now(3_600_000).wallTime(3_600_000);
        demands.queues().queue("a", "root", 2).queue("b", "root", 1);
        int free = random.nextInt(20);
        demands.pool(cores(40), cores(free));
        for (int unit = 0; unit < 12; unit++) {
            int minimum = 1 + random.nextInt(6);
            boolean runs = random.nextBoolean();
            demands.unit("job-" + unit, unit)
                    .group(unit, cores(1 + random.nextInt(2)), minimum, minimum + random.nextInt(3), runs ? minimum : 0)
                    .arrived(unit, 60_000L * unit)
                    .queue(unit, random.nextBoolean() ? "a" : "b")
                    .submitter(unit, "submitter-" + random.nextInt(3))
                    .priority(unit, random.nextInt(3));
            if (runs) {
                demands.runningSince(unit, 60_000L * unit);
            } else {
                demands.waitingSince(unit, 60_000L * unit);
            }
            if (random.nextBoolean()) {
                demands.expectedRuntime(unit, 60_000L * (1 + random.nextInt(90)));
            }
        }
        return demands;
    }

    void admitsTheSameForTheSameInput() throws InvalidConfigurationException {
        seeds.each(seed -> {
            RecordedAdmission first = admit(random(seed));
            RecordedAdmission second = admit(random(seed));
            Expect.same("what another instance admits", second.admitted(), first.admitted());
            Expect.same("the ranks of what another instance admits", second.ranks(), first.ranks());
            Expect.same("what another instance defers", second.deferred(), first.deferred());
            Expect.same("what another instance reclaims", second.reclaimed(), first.reclaimed());
        });
    }

    Check.Found startsLargeUnitsAmongSmallOnes() throws InvalidConfigurationException {
        int[] longest = {0};
        seeds.oneIn(50).each(seed -> {
            int wait = new Storm(seed)
                    .waits(factory, Map.of(), MAX_WAIT_MINUTES + MAX_WAIT_MINUTES / 10).stream()
                            .mapToInt(Integer::intValue)
                            .max()
                            .orElse(0);
            longest[0] = Math.max(longest[0], wait);
            Expect.that(
                    wait <= MAX_WAIT_MINUTES,
                    "a unit that fits the pool waits for more than %s minutes while smaller ones come and go",
                    MAX_WAIT_MINUTES);
        });
        return Check.Found.of("longest wait " + longest[0] + " min");
    }

    void leavesNoRoomToUnitsOfOneSize() throws InvalidConfigurationException {
        seeds.each(seed -> {
            Random random = Seeds.random(seed);
            int slots = 1 + random.nextInt(20);
            int running = random.nextInt(slots);
            int waiting = 1 + random.nextInt(30);
            ArrayDemandsView demands = new ArrayDemandsView();
            for (int unit = 0; unit < running + waiting; unit++) {
                boolean runs = unit < running;
                demands.unit("job-" + unit, unit)
                        .group(unit, cores(1), 1, 1, runs ? 1 : 0)
                        .arrived(unit, 0);
                if (runs) {
                    demands.runningSince(unit, 0);
                } else {
                    demands.waitingSince(unit, MINUTE_MILLIS);
                }
                if (random.nextBoolean()) {
                    demands.expectedRuntime(unit, (long) MINUTE_MILLIS * (1 + random.nextInt(60)));
                }
            }
            demands.now(2L * MINUTE_MILLIS).wallTime(2L * MINUTE_MILLIS);
            int left = filled(demands, slots, slots - running);
            Expect.that(
                    left == 0 || waiting <= slots - running - left,
                    "leaves %s of %s slots free, although units of one slot wait",
                    left,
                    slots);
        });
    }

    /** Decides in rounds as the host does, and returns how many slots stay free. */
    private int filled(ArrayDemandsView demands, int slots, int free) throws InvalidConfigurationException {
        int left = free;
        try (AdmissionSession session = open(factory, demands.pool(cores(slots), cores(free)))) {
            for (int round = 0; round < ROUNDS; round++) {
                RecordedAdmission result = new RecordedAdmission();
                session.admit(result);
                int[] changed = new int[result.admitted().size()];
                int at = 0;
                for (Admitted one : result.admitted()) {
                    if (left > 0) {
                        demands.allocated(one.unit(), 0, 1);
                        left--;
                    } else {
                        demands.withoutRoom(one.unit());
                    }
                    changed[at++] = one.unit();
                }
                demands.pool(cores(slots), cores(left));
                Arrays.sort(changed);
                session.delta(changed);
            }
        }
        return left;
    }
}

package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A small pool in which a distribution policy decides again and again. Jobs return at once what it reclaims, and want it
 * again; what it admits gets room in its order, as far as there is some.
 */
final class ReclaimRounds {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 100);
    private static final int CAPACITY = 24;
    /** What was returned must be given away before a policy may want more. */
    private static final int QUIET_ROUNDS = 5;

    private static final long ROUND_MILLIS = 60_000;

    private final ArrayDemandsView demands = new ArrayDemandsView();
    private final int[] minimum;
    private final int[] desired;
    private final int[] allocated;
    private int free = CAPACITY;
    private long now;

    ReclaimRounds(Random random) {
        int units = 2 + random.nextInt(5);
        minimum = new int[units];
        desired = new int[units];
        allocated = new int[units];
        demands.queues()
                .queue("a", "root", 1 + random.nextInt(3), SLOT.times(random.nextInt(12)), ResourceProfile.UNKNOWN)
                .queue("b", "root", 1 + random.nextInt(3), SLOT.times(random.nextInt(12)), ResourceProfile.UNKNOWN);
        for (int unit = 0; unit < units; unit++) {
            minimum[unit] = 1 + random.nextInt(6);
            desired[unit] = minimum[unit] + random.nextInt(12);
            boolean runs = random.nextBoolean() && free >= minimum[unit];
            allocated[unit] =
                    runs ? Math.min(free, minimum[unit] + random.nextInt(desired[unit] - minimum[unit] + 1)) : 0;
            free -= allocated[unit];
            demands.unit("job-" + unit, unit)
                    .group(unit, SLOT, minimum[unit], desired[unit], allocated[unit])
                    .priority(unit, random.nextInt(3))
                    .queue(unit, random.nextBoolean() ? "a" : "b")
                    .submitter(unit, "submitter-" + random.nextInt(2));
        }
        show();
    }

    ArrayDemandsView demands() {
        return demands;
    }

    private void show() {
        demands.now(now).wallTime(now).pool(SLOT.times(CAPACITY), SLOT.times(free));
        for (int unit = 0; unit < allocated.length; unit++) {
            demands.allocated(unit, 0, allocated[unit]);
        }
        demands.endDecision();
    }

    /** How many decisions reclaim slots, until several in a row do not; at most {@code most}. */
    int busyRounds(AdmissionSession session, int most) {
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

    /** @return whether the policy reclaimed slots */
    private boolean play(AdmissionSession session) {
        RecordedAdmission result = new RecordedAdmission();
        session.admit(result);
        assertThat(result.violation(demands))
                .as("the rule of admission that it breaks")
                .isEmpty();
        for (RecordedAdmission.Admitted one : result.admitted()) {
            int unit = one.unit();
            int wanted = one.group() < 0 ? Math.max(0, minimum[unit] - allocated[unit]) : one.count();
            boolean whole = one.group() < 0;
            int given = whole && wanted > free ? 0 : Math.min(wanted, free);
            if (whole || allocated[unit] >= minimum[unit]) {
                allocated[unit] += given;
                free -= given;
            }
        }
        for (RecordedAdmission.Reclaimed one : result.reclaimed()) {
            int returned = Math.min(one.count(), Math.max(0, allocated[one.unit()] - minimum[one.unit()]));
            allocated[one.unit()] -= returned;
            free += returned;
        }
        now += ROUND_MILLIS;
        show();
        session.delta(IntStream.range(0, allocated.length).toArray());
        return !result.reclaimed().isEmpty();
    }
}

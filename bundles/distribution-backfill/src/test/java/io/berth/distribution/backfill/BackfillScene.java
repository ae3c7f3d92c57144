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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A pool of equal slots at noon, and units that run or wait in it. */
class BackfillScene {

    static final ResourceProfile SLOT = ResourceProfile.of(1_000, 10);
    static final long HOUR = 3_600_000;
    /** 40 days after the start of the clock, and at noon. */
    static final long NOW = 40 * 24 * HOUR;

    static final long NOON = 12 * HOUR;

    final ArrayDemandsView demands = new ArrayDemandsView().now(NOW).wallTime(NOON);
    final Map<String, String> given = new LinkedHashMap<>();

    BackfillScene with(String key, String value) {
        given.put(key, value);
        return this;
    }

    /** A pool of slots, of which some are free. */
    void pool(int slots, int free) {
        demands.pool(SLOT.times(slots), SLOT.times(free));
    }

    /** A unit that has run for a time and should run for so long altogether; 0: not known. */
    int runs(int slots, double sinceHours, double expectedHours) {
        int unit = unit(slots, slots, slots, expectedHours);
        demands.runningSince(unit, NOW - (long) (sinceHours * HOUR));
        return unit;
    }

    int waits(int slots, double sinceHours, double expectedHours) {
        int unit = unit(slots, slots, 0, expectedHours);
        demands.waitingSince(unit, NOW - (long) (sinceHours * HOUR));
        return unit;
    }

    int unit(int minimum, int desired, int allocated, double expectedHours) {
        int unit = demands.limit();
        demands.unit("job-" + unit, unit).group(unit, SLOT, minimum, desired, allocated);
        if (expectedHours > 0) {
            demands.expectedRuntime(unit, (long) (expectedHours * HOUR));
        }
        return unit;
    }

    RecordedAdmission admit() throws InvalidConfigurationException {
        RecordedAdmission result = new RecordedAdmission();
        try (AdmissionSession session = new BackfillFactory()
                .create(FixedConfiguration.of(new BackfillFactory().describe(), given), FixedContext.of("pool default"))
                .open(demands)) {
            session.admit(result);
        }
        assertThat(result.violation(demands)).isEmpty();
        return result;
    }

    List<Integer> admitted() throws InvalidConfigurationException {
        return admit().admitted().stream().map(Admitted::unit).toList();
    }
}

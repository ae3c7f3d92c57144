package io.berth.distribution.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedAdmission;
import io.berth.testkit.RecordedAdmission.Admitted;
import java.util.List;
import java.util.Map;

/** A pool of ten cores, and calls of the policy. */
abstract class CapacityPool {

    static final ResourceProfile CORE = ResourceProfile.of(1_000, 100);
    static final ResourceProfile NOTHING = ResourceProfile.ZERO;
    static final ResourceProfile NO_LIMIT = ResourceProfile.UNKNOWN;
    static final long MINUTE = 60_000;
    static final long DAY = 24 * 60 * MINUTE;

    final ArrayDemandsView demands = new ArrayDemandsView().pool(CORE.times(10), CORE.times(10));

    int unit(String queue, int minimum, int desired, int allocated) {
        int unit = demands.limit();
        demands.unit("job-" + unit, unit)
                .group(unit, CORE, minimum, desired, allocated)
                .queue(unit, queue);
        return unit;
    }

    void queue(String name, String parent, int guaranteed) {
        demands.queues().queue(name, parent, 1, CORE.times(guaranteed), NO_LIMIT);
    }

    RecordedAdmission admit(Map<String, String> configuration) throws InvalidConfigurationException {
        try (AdmissionSession session = open(configuration)) {
            return admit(session);
        }
    }

    static List<Integer> units(RecordedAdmission result) {
        return result.admitted().stream().map(Admitted::unit).toList();
    }

    RecordedAdmission admit(AdmissionSession session) {
        RecordedAdmission result = new RecordedAdmission();
        session.admit(result);
        assertThat(result.violation(demands)).isEmpty();
        return result;
    }

    AdmissionSession open(Map<String, String> configuration) throws InvalidConfigurationException {
        return new CapacityFactory()
                .create(
                        FixedConfiguration.of(new CapacityFactory().describe(), configuration),
                        FixedContext.of("pool default"))
                .open(demands);
    }
}

package io.berth.scorecard.distribution;

import io.berth.scorecard.check.Cost;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.ArrayDemandsView;
import io.berth.testkit.RecordedAdmission;

/** A cluster on which a unit runs on each worker. Before each decision a unit arrives that fits, in place of the previous one. */
final class Arrivals implements Cost.Decisions {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 100);
    private static final int MINUTE_MILLIS = 60_000;

    private final ArrayDemandsView demands = new ArrayDemandsView();
    private final AdmissionSession session;
    private final int unit;
    private long submitted;

    Arrivals(DistributionPolicyFactory factory, int workers) throws InvalidConfigurationException {
        unit = workers;
        submitted = workers;
        for (int running = 0; running < workers; running++) {
            demands.unit("job-" + running, running)
                    .group(running, SLOT, 1, 1, 1)
                    .arrived(running, 0)
                    .runningSince(running, 0)
                    .submitter(running, "submitter-" + running % 10);
            if (running % 2 == 0) {
                demands.expectedRuntime(running, (long) MINUTE_MILLIS * (1 + running % 600));
            }
        }
        demands.pool(SLOT.times(workers + 1), SLOT).now(MINUTE_MILLIS).wallTime(MINUTE_MILLIS);
        session = Admissions.open(factory, demands);
    }

    @Override
    public void next() {
        demands.put(unit, "job-" + submitted, submitted++)
                .group(unit, SLOT, 1, 1, 0)
                .arrived(unit, MINUTE_MILLIS)
                .waitingSince(unit, MINUTE_MILLIS);
        session.delta(new int[] {unit});
        session.admit(new RecordedAdmission());
    }

    @Override
    public void close() {
        session.close();
    }
}

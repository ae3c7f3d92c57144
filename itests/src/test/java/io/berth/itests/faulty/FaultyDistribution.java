package io.berth.itests.faulty;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.util.Arrays;

/** Fifo, except for its fault. */
final class FaultyDistribution implements DistributionPolicyFactory {

    private final FaultyCode faulty;

    FaultyDistribution(FaultyCode faulty) {
        this.faulty = faulty;
    }

    @Override
    public PolicyDescription describe() {
        return FaultyActivator.describe(faulty);
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        faulty.called("create");
        if (faulty.does("create", "null")) {
            return null;
        }
        DistributionPolicy model =
                faulty.model(DistributionPolicyFactory.class, "fifo").create(FaultyActivator.NOTHING, context);
        return demands -> {
            faulty.called("open");
            return faulty.does("open", "null") ? null : new Session(model.open(demands), demands);
        };
    }

    private final class Session implements AdmissionSession {

        private final AdmissionSession model;
        private final DemandsView demands;
        private AdmissionBuilder old;

        private Session(AdmissionSession model, DemandsView demands) {
            this.model = model;
            this.demands = demands;
        }

        @Override
        public void delta(int[] changed) {
            faulty.called("delta");
            model.delta(changed.clone());
            if (faulty.deed.equals("mutates")) {
                Arrays.fill(changed, -1);
            }
        }

        @Override
        public void admit(AdmissionBuilder result) {
            faulty.called("admit");
            if (faulty.deed.equals("stale")) {
                if (old != null) {
                    AdmissionBuilder before = old;
                    before.admitMinimum(0);
                    before.defer(0, "stale");
                    FaultyMatching.inThread(() -> before.admit(0, 0, 1));
                    faulty.called("stale");
                }
                old = result;
            }
            if (!faulty.at.equals("admit") || !admitted(result)) {
                model.admit(result);
            }
        }

        private int lacking() {
            for (int unit = 0; unit < demands.limit(); unit++) {
                if (demands.candidate(unit) && demands.allocated(unit, 0) < demands.desired(unit, 0)) {
                    return unit;
                }
            }
            return 0;
        }

        private boolean admitted(AdmissionBuilder result) {
            switch (faulty.deed) {
                case "unknown-unit" -> result.admitMinimum(demands.limit() + 7);
                case "unknown-group" -> result.admit(lacking(), 99, 1);
                case "negative" -> result.admit(lacking(), 0, -1);
                case "over-desired" -> {
                    result.admitMinimum(lacking());
                    result.admit(lacking(), 0, Integer.MAX_VALUE);
                }
                case "twice" -> {
                    model.admit(result);
                    result.admit(lacking(), 0, 1);
                }
                case "partial" -> result.admit(lacking(), 0, 1);
                case "other-thread" -> FaultyMatching.inThread(() -> result.admitMinimum(lacking()));
                case "endless" -> {
                    while (faulty.mercy().getCount() > 0) {
                        result.defer(lacking(), "endless");
                        result.admit(lacking(), 0, 1);
                    }
                }
                case "null-reason" -> {
                    result.defer(lacking(), null);
                    return false;
                }
                default -> {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() {
            faulty.called("close");
            model.close();
        }
    }
}

package io.berth.simulator.world;

import io.berth.distribution.fifo.FifoFactory;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.util.BitSet;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * A distribution policy that admits as fifo does, and at random reclaims slots above the minimums of units that it does
 * not admit, until the world is calm.
 */
final class ReclaimingDistribution implements DistributionPolicyFactory {

    private static final int REVIEW_MILLIS = 5_000;
    /** It reclaims slots of one in so many groups that may be asked. */
    private static final int EACH = 2;

    private final FifoFactory usual = new FifoFactory();
    private final RandomGenerator random;
    private final BooleanSupplier calm;

    ReclaimingDistribution(RandomGenerator random, BooleanSupplier calm) {
        this.random = random;
        this.calm = calm;
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("reclaiming", "Admits as fifo does, and reclaims slots at random");
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        DistributionPolicy fifo = usual.create(configuration, context);
        return demands -> new Session(demands, fifo.open(demands));
    }

    private final class Session implements AdmissionSession {

        private final DemandsView demands;
        private final AdmissionSession fifo;

        Session(DemandsView demands, AdmissionSession fifo) {
            this.demands = demands;
            this.fifo = fifo;
        }

        @Override
        public void delta(int[] changed) {
            fifo.delta(changed);
        }

        @Override
        public void admit(AdmissionBuilder result) {
            Noted noted = new Noted(result);
            fifo.admit(noted);
            if (calm.getAsBoolean()) {
                return;
            }
            for (int unit = 0; unit < demands.limit(); unit++) {
                if (demands.present(unit) && demands.returnable(unit) && !noted.admitted.get(unit)) {
                    reclaim(unit, result);
                }
            }
            result.reviewAfter(REVIEW_MILLIS);
        }

        private void reclaim(int unit, AdmissionBuilder result) {
            for (int group = 0; group < demands.groups(unit); group++) {
                int most = demands.allocated(unit, group) - demands.minimum(unit, group);
                if (most > 0 && random.nextInt(EACH) == 0) {
                    result.reclaim(unit, group, 1 + random.nextInt(most), "others may need them");
                }
            }
        }

        @Override
        public void close() {
            fifo.close();
        }
    }

    /** Passes an admission on, and notes who is admitted. */
    private static final class Noted implements AdmissionBuilder {

        private final AdmissionBuilder result;
        private final BitSet admitted = new BitSet();

        Noted(AdmissionBuilder result) {
            this.result = result;
        }

        @Override
        public void admitMinimum(int unit) {
            admitted.set(unit);
            result.admitMinimum(unit);
        }

        @Override
        public void admit(int unit, int group, int count) {
            admitted.set(unit);
            result.admit(unit, group, count);
        }

        @Override
        public void beginRank() {
            result.beginRank();
        }

        @Override
        public void endRank() {
            result.endRank();
        }

        @Override
        public void defer(int unit, String reason) {
            result.defer(unit, reason);
        }

        @Override
        public void reclaim(int unit, int group, int count, String reason) {
            result.reclaim(unit, group, count, reason);
        }

        @Override
        public void reviewAfter(long millis) {
            result.reviewAfter(millis);
        }
    }
}

package io.berth.itests.villain;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import java.util.Arrays;

/** Reactive, except for its fault. */
final class VillainScaling implements ScalingPolicyFactory {

    private final Villain villain;

    VillainScaling(Villain villain) {
        this.villain = villain;
    }

    @Override
    public PolicyDescription describe() {
        return VillainActivator.describe(villain);
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        villain.called("create");
        if (villain.does("create", "null")) {
            return null;
        }
        ScalingPolicy model =
                villain.model(ScalingPolicyFactory.class, "reactive").create(VillainActivator.NOTHING, context);
        return job -> {
            villain.called("open");
            return villain.does("open", "null") ? null : new Session(model.open(job), job);
        };
    }

    private final class Session implements ScalingSession {

        private final ScalingSession model;
        private final JobView job;
        private ParallelismBuilder old;

        private Session(ScalingSession model, JobView job) {
            this.model = model;
            this.job = job;
        }

        @Override
        public void delta() {
            villain.called("delta");
            model.delta();
        }

        @Override
        public void desire(ParallelismBuilder result) {
            villain.called("desire");
            if (!villain.at.equals("desire") || !answered(result)) {
                model.desire(result);
            }
        }

        @Override
        public void plan(ParallelismBuilder result) {
            villain.called("plan");
            if (villain.deed.equals("stale")) {
                if (old != null) {
                    ParallelismBuilder before = old;
                    before.parallelism(0, 0);
                    before.reason("stale");
                    VillainMatching.inThread(() -> before.parallelism(0, 0));
                    villain.called("stale");
                }
                old = result;
            }
            if (!villain.at.equals("plan") || !answered(result)) {
                model.plan(result);
            }
        }

        private boolean answered(ParallelismBuilder result) {
            switch (villain.deed) {
                case "unknown-vertex" -> result.parallelism(job.vertices(), 1);
                case "negative" -> result.parallelism(0, -1);
                case "over-maximum" -> result.parallelism(0, Integer.MAX_VALUE);
                case "over-slots" -> result.parallelism(0, job.slots(job.group(0)) + 1);
                case "partial" -> result.reason("nothing at all");
                case "other-thread" -> VillainMatching.inThread(() -> result.parallelism(0, 1));
                case "endless" -> {
                    while (villain.mercy().getCount() > 0) {
                        result.parallelism(0, job.minimum(0));
                        result.reason("endless");
                    }
                }
                case "null-reason" -> {
                    result.reason(null);
                    return false;
                }
                default -> {
                    return false;
                }
            }
            return true;
        }

        @Override
        public boolean rescale(int[] planned) {
            villain.called("rescale");
            boolean answer = model.rescale(planned.clone());
            if (villain.deed.equals("mutates")) {
                Arrays.fill(planned, Integer.MAX_VALUE);
            }
            return answer;
        }

        @Override
        public void close() {
            villain.called("close");
            model.close();
        }
    }
}

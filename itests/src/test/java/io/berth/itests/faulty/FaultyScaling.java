package io.berth.itests.faulty;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;

/** Reactive, except for its fault. */
final class FaultyScaling implements ScalingPolicyFactory {

    private final FaultyCode faulty;

    FaultyScaling(FaultyCode faulty) {
        this.faulty = faulty;
    }

    @Override
    public PolicyDescription describe() {
        return FaultyActivator.describe(faulty);
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        faulty.called("create");
        if (faulty.does("create", "null")) {
            return null;
        }
        ScalingPolicy model =
                faulty.model(ScalingPolicyFactory.class, "reactive").create(FaultyActivator.NOTHING, context);
        return job -> {
            faulty.called("open");
            return faulty.does("open", "null") ? null : new Session(model.open(job), job);
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
            faulty.called("delta");
            model.delta();
        }

        @Override
        public void desire(ParallelismBuilder result) {
            faulty.called("desire");
            if (faulty.deed.equals("stale")) {
                if (old != null) {
                    ParallelismBuilder before = old;
                    before.parallelism(0, 0);
                    before.reason("stale");
                    FaultyMatching.inThread(() -> before.parallelism(0, 0));
                    faulty.called("stale");
                }
                old = result;
            }
            if (!faulty.at.equals("desire") || !answered(result)) {
                model.desire(result);
            }
        }

        private boolean answered(ParallelismBuilder result) {
            switch (faulty.deed) {
                case "unknown-vertex" -> result.parallelism(job.vertices(), 1);
                case "negative" -> result.parallelism(0, -1);
                case "over-maximum" -> result.parallelism(0, Integer.MAX_VALUE);
                case "partial" -> result.reason("nothing at all");
                case "other-thread" -> FaultyMatching.inThread(() -> result.parallelism(0, 1));
                case "endless" -> {
                    while (faulty.mercy().getCount() > 0) {
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
        public void judge(FeasibleChange change, JudgementBuilder result) {
            faulty.called("judge");
            model.judge(change, result);
        }

        @Override
        public void close() {
            faulty.called("close");
            model.close();
        }
    }
}

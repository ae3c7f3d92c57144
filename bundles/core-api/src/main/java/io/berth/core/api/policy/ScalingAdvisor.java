package io.berth.core.api.policy;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** Decides the parallelism of one job. All methods are called on the main thread of its JobMaster. */
public interface ScalingAdvisor extends AutoCloseable {

    /** Makes one decision at a time. The stage never fails. */
    CompletionStage<ScalingOutcome> decide(ScalingInput input);

    /**
     * The job has other bounds of the parallelism. Decisions that are asked for from now on see them; one under way may not.
     *
     * @param job the same job, of which nothing else has changed
     */
    void changed(JobGraph job);

    @Override
    void close();

    /**
     * The state of the job.
     *
     * @param current parallelism of each vertex in the order of the job graph; zeros when it does not run
     * @param slots number of slots of each slot sharing group, in the order of the job graph
     * @param limit what bounds the parallelism beside the slots
     * @param stopped what was known of the last tasks when they stopped; {@link JobMeasures.Means#NONE} while the job runs
     */
    record ScalingInput(
            long stateNumber,
            List<Integer> current,
            List<Integer> slots,
            Limit limit,
            JobMeasures measures,
            JobMeasures.Means stopped) {

        public ScalingInput {
            current = List.copyOf(current);
            slots = List.copyOf(slots);
        }

        /** Without measures, and bounded by the slots only. */
        public ScalingInput(long stateNumber, List<Integer> current, List<Integer> slots) {
            this(stateNumber, current, slots, Limit.NONE, JobMeasures.NONE, JobMeasures.Means.NONE);
        }
    }

    /**
     * Bounds the parallelism of a job by what the number of its slots does not show, such as the network memory of its
     * workers. It depends on the state of the decision and the bounds of the job only, so any thread may call it.
     */
    @FunctionalInterface
    interface Limit {

        /** Nothing else bounds it. */
        Limit NONE = parallelism -> new Feasible(Optional.of(parallelism), "");

        /** @param parallelism of each vertex, within its bounds; vertices that forward edges connect are equal */
        Feasible feasible(List<Integer> parallelism);
    }

    /**
     * What a job can run at.
     *
     * @param parallelism of each vertex, within its bounds; empty when none is feasible
     * @param bound why it is lower than the slots allow, or not feasible; empty when nothing else bounds it
     */
    record Feasible(Optional<List<Integer>> parallelism, String bound) {

        public Feasible {
            parallelism = parallelism.map(List::copyOf);
        }
    }

    /** Outcome of a scaling decision. */
    sealed interface ScalingOutcome {

        /**
         * @param desired parallelism to declare for each vertex, within its bounds
         * @param feasible with the current slots, as close to the desired parallelism as they allow
         * @param accepted whether a running job should restart at the feasible parallelism, which differs from its own
         * @param reviewAfterMillis after which another decision is wished, even if nothing changes
         */
        record Decided(
                long decision,
                PolicyIdentity scaling,
                List<Integer> desired,
                Feasible feasible,
                boolean accepted,
                OptionalLong reviewAfterMillis,
                String reason)
                implements ScalingOutcome {

            public Decided {
                desired = List.copyOf(desired);
            }
        }

        /** No policy could decide. */
        record NotDecided(Reason why) implements ScalingOutcome {

            public NotDecided(String text) {
                this(Reason.of(ReasonCode.POLICY_FAILED, text));
            }

            /** The reason in one line. */
            public String reason() {
                return why.line();
            }
        }
    }
}

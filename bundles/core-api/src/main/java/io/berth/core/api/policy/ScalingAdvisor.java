package io.berth.core.api.policy;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletionStage;

/** Decides the parallelism of one job. All methods are called on the main thread of its JobMaster. */
public interface ScalingAdvisor extends AutoCloseable {

    /** Makes one decision at a time. The stage never fails. */
    CompletionStage<ScalingOutcome> decide(ScalingInput input);

    @Override
    void close();

    /**
     * The state of the job.
     *
     * @param current parallelism of each vertex in the order of the job graph; zeros when it does not run
     * @param slots number of slots of each slot sharing group, in the order of the job graph
     * @param metrics of each vertex in the order of the job graph; empty while nothing measures them
     */
    record ScalingInput(long stateNumber, List<Integer> current, List<Integer> slots, List<VertexMetrics> metrics) {

        public ScalingInput {
            current = List.copyOf(current);
            slots = List.copyOf(slots);
            metrics = List.copyOf(metrics);
        }

        /** Without metrics. */
        public ScalingInput(long stateNumber, List<Integer> current, List<Integer> slots) {
            this(stateNumber, current, slots, List.of());
        }
    }

    /**
     * Measurements of a vertex.
     *
     * @param recordsInPerSecond records per second that all its tasks receive together
     * @param busyShare average share of time in which its tasks work, from 0 to 1
     */
    record VertexMetrics(OptionalDouble recordsInPerSecond, OptionalDouble busyShare) {}

    /** Outcome of a scaling decision. */
    sealed interface ScalingOutcome {

        /**
         * @param desired parallelism to declare for each vertex, within its bounds
         * @param planned parallelism with the current slots; if a vertex is below its minimum, the job cannot run with
         *     them
         * @param rescale whether a running job should restart at the planned parallelism
         */
        record Decided(
                long decision,
                PolicyIdentity scaling,
                List<Integer> desired,
                List<Integer> planned,
                boolean rescale,
                String reason)
                implements ScalingOutcome {

            public Decided {
                desired = List.copyOf(desired);
                planned = List.copyOf(planned);
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

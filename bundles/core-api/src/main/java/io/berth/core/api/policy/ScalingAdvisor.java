package io.berth.core.api.policy;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletionStage;

/** Decides the parallelism of one job. All methods are called on the main thread of its JobMaster. */
public interface ScalingAdvisor extends AutoCloseable {

    /** One at a time. Never fails exceptionally. */
    CompletionStage<ScalingOutcome> decide(ScalingInput input);

    @Override
    void close();

    /**
     * State of the job.
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
     * What was measured of a vertex.
     *
     * @param recordsInPerSecond that all its tasks take in together
     * @param busyShare share of their time that its tasks work on the average, from 0 to 1
     */
    record VertexMetrics(OptionalDouble recordsInPerSecond, OptionalDouble busyShare) {}

    /** Outcome of a scaling decision. */
    sealed interface ScalingOutcome {

        /**
         * @param desired parallelism to declare for each vertex, within its bounds
         * @param planned parallelism with the slots there are; a vertex below its minimum: the job cannot run with them
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

            /** In one line. */
            public String reason() {
                return why.line();
            }
        }
    }
}

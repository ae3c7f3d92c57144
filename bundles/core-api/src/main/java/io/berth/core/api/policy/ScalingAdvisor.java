package io.berth.core.api.policy;

import java.util.List;
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
     */
    record ScalingInput(long stateNumber, List<Integer> current, List<Integer> slots) {

        public ScalingInput {
            current = List.copyOf(current);
            slots = List.copyOf(slots);
        }
    }

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
        record NotDecided(String reason) implements ScalingOutcome {}
    }
}

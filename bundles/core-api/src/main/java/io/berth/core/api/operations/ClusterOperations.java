package io.berth.core.api.operations;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.job.Problem;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What users see of the cluster. */
public interface ClusterOperations {

    CompletionStage<ClusterDetails> cluster();

    /** Address at which workers join, HOST:PORT. */
    String masterAddress();

    /**
     * Lets workers take no slots for a while; they keep those that tasks run in. Of two times the later one holds.
     *
     * @param worker id or address, HOST:PORT, of a worker; or HOST for all there
     * @param duration a number with s, m, h or d: {@code 10m}
     * @param reason for people
     */
    CompletionStage<BlockResult> block(String worker, String duration, String reason);

    /** Lets them take slots again. */
    CompletionStage<BlockResult> unblock(String worker);

    /** Outcome of blocking workers, or of lifting their blocks. */
    sealed interface BlockResult {

        /** The blocks that hold now, or that were lifted. */
        record Done(List<WorkerBlock> blocks) implements BlockResult {

            public Done {
                blocks = List.copyOf(blocks);
            }
        }

        /** Nothing was changed. */
        record Refused(List<Problem> problems) implements BlockResult {

            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }
}

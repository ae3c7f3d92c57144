package io.berth.core.api.operations;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.job.Problem;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What users see of the cluster. */
public interface ClusterOperations {

    /** The part that is asked for. At most {@link ClusterQuery#MAX_PAGE} workers and slots are surely answered. */
    CompletionStage<ClusterDetails> cluster(ClusterQuery query);

    /** All workers and slots, page by page: what changes meanwhile may be there or not. */
    default CompletionStage<ClusterDetails> cluster() {
        return cluster(new ClusterQuery(Optional.empty(), ClusterQuery.MAX_PAGE, ClusterQuery.MAX_PAGE))
                .thenCompose(this::completed);
    }

    private CompletionStage<ClusterDetails> completed(ClusterDetails page) {
        if (page.next().isEmpty()) {
            return CompletableFuture.completedFuture(page);
        }
        return cluster(new ClusterQuery(page.next(), ClusterQuery.MAX_PAGE, ClusterQuery.MAX_PAGE))
                .thenCompose(later -> completed(page.followedBy(later)));
    }

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

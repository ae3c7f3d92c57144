package io.berth.core.api.operations;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.ResourceManagerGateway.DrainedWorker;
import io.berth.core.api.gateway.ResourceManagerGateway.RelabeledWorker;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.Problem;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The cluster as users see it. */
public interface ClusterOperations {

    /**
     * The requested page. A page of up to {@link ClusterQuery#MAX_PAGE} workers and slots always fits into the answer.
     */
    CompletionStage<ClusterDetails> cluster(ClusterQuery query);

    /** All workers and slots, read page by page. Changes in the meantime may be missing. */
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

    /** Address at which workers register, HOST:PORT. */
    String masterAddress();

    /**
     * Blocks workers: they get no new slots until the block ends, but keep slots in which tasks run. If a worker is
     * already blocked, the block that ends later counts.
     *
     * @param worker id of a worker, its address HOST:PORT, or HOST for all workers of that host
     * @param duration a number with s, m, h or d, for example {@code 10m}
     * @param reason for people
     */
    CompletionStage<BlockResult> block(String worker, String duration, String reason);

    /** Ends blocks: the workers get slots again. */
    CompletionStage<BlockResult> unblock(String worker);

    /**
     * Gives workers other labels and taints, for slots that are placed from now on.
     *
     * @param worker as for {@link #block}
     */
    CompletionStage<LabelResult> relabel(String worker, LabelChange change);

    /**
     * Drains workers: they get no new slots, their jobs move to other workers, and an empty worker that a backend
     * started is stopped. Repeating it replaces deadline and reason.
     *
     * @param worker as for {@link #block}
     * @param deadline when jobs must have moved, as for {@link #block}; empty: when they have other slots
     * @param reason for people, for example {@code drained by ann}
     */
    CompletionStage<DrainResult> drain(String worker, Optional<String> deadline, String reason);

    /** Ends draining: the workers get slots again, and jobs that have not moved yet stay. */
    CompletionStage<DrainResult> undrain(String worker);

    /**
     * The logs of the tasks of a job, from all workers that are registered and from workers that ran on the host of the
     * ResourceManager and are gone. A job that is not known has none.
     */
    CompletionStage<LogList> taskLogs(LogFilter filter);

    /**
     * Reads a part of a log.
     *
     * @param worker as {@link #taskLogs} or the list of workers has it
     * @return empty when there is no such log: the worker is not known, or it is gone and nothing of it is left
     */
    CompletionStage<Optional<LogPart>> readLog(WorkerId worker, LogRequest request);

    /** Outcome of draining workers, or of ending it. */
    sealed interface DrainResult {

        /** Each worker that was meant. */
        record Done(List<DrainedWorker> workers) implements DrainResult {

            public Done {
                workers = List.copyOf(workers);
            }
        }

        /** Nothing was changed. */
        record Refused(List<Problem> problems) implements DrainResult {

            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    /** Outcome of giving workers other labels. */
    sealed interface LabelResult {

        /** What each worker that was meant has now. */
        record Done(List<RelabeledWorker> workers) implements LabelResult {

            public Done {
                workers = List.copyOf(workers);
            }
        }

        /** Nothing was changed. */
        record Refused(List<Problem> problems) implements LabelResult {

            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    /** Outcome of blocking or unblocking workers. */
    sealed interface BlockResult {

        /** The current blocks, or those that were ended. */
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

package io.berth.core.resources.workers;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.RelabeledWorker;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.state.WorkerConnection;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Labels and taints that an operator gives to workers. The worker keeps them, so that the next ResourceManager has them
 * too; they count here once the worker has acknowledged them. Confined to the main thread.
 */
public final class OperatorLabels {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorLabels.class);

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final WorkerRegistry workers;

    public OperatorLabels(ResourceManagerId id, MainThread mainThread, WorkerRegistry workers) {
        this.id = id;
        this.mainThread = mainThread;
        this.workers = workers;
    }

    /** Changes the registered workers that {@code target} names. The stage never fails. */
    public CompletionStage<List<RelabeledWorker>> change(String target, LabelChange change) {
        mainThread.assertCurrent();
        List<CompletableFuture<RelabeledWorker>> answers = new ArrayList<>();
        for (WorkerEntry worker : workers.named(target)) {
            worker.connection().ifPresent(connection -> answers.add(change(worker, connection, change)));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<RelabeledWorker> change(
            WorkerEntry worker, WorkerConnection connection, LabelChange change) {
        WorkerLabels wanted = change.applyTo(worker.labels()).given();
        int most = Math.max(wanted.labels().size(), wanted.taints().size());
        if (most > ResourceManagerGateway.MAX_LABELS) {
            return CompletableFuture.completedFuture(new RelabeledWorker(
                    worker.id(),
                    worker.labels().given(),
                    "it would have " + most + " of them: up to " + ResourceManagerGateway.MAX_LABELS
                            + " are allowed; nothing was changed"));
        }
        CompletableFuture<RelabeledWorker> answer = new CompletableFuture<>();
        mainThread.whenComplete(connection.gateway().relabel(id, wanted), (done, failure) -> {
            String problem = "";
            if (failure != null) {
                problem = "it did not answer, and may have them: repeat the command";
            } else if (!worker.isInstance(connection.instance())) {
                problem = "it registered again in the meantime: repeat the command";
            } else {
                workers.labels(worker, wanted);
                LOG.info("worker {}: has labels {} and taints {}", worker.id(), wanted.labels(), wanted.taints());
            }
            answer.complete(new RelabeledWorker(worker.id(), worker.labels().given(), problem));
        });
        return answer;
    }
}

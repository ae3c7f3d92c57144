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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Labels and taints that an operator gives to workers. The worker keeps them, so that the next ResourceManager has them
 * too; they count here once the worker has acknowledged them, and are sent to it until then. A worker receives all that
 * it is to have, with a number, and each change starts from what was sent last: of changes at the same time none is
 * lost. Confined to the main thread.
 */
public final class OperatorLabels {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorLabels.class);
    private static final long RETRY_MILLIS = 1_000;

    /** What a worker is to have, and has not acknowledged yet. */
    private static final class Wanted {

        private final WorkerConnection by;
        private WorkerLabels labels;
        private long number;
        private long acknowledged;

        private Wanted(WorkerConnection by, WorkerLabels labels) {
            this.by = by;
            this.labels = labels;
        }
    }

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final WorkerRegistry workers;
    private final Map<WorkerEntry, Wanted> wanted = new LinkedHashMap<>();
    private long lastNumber;

    public OperatorLabels(ResourceManagerId id, MainThread mainThread, WorkerRegistry workers) {
        this.id = id;
        this.mainThread = mainThread;
        this.workers = workers;
    }

    /** Changes the registered workers that {@code target} names. The stage never fails. */
    public CompletionStage<List<RelabeledWorker>> change(String target, LabelChange change) {
        mainThread.assertCurrent();
        wanted.keySet().removeIf(worker -> !workers.contains(worker));
        List<CompletableFuture<RelabeledWorker>> answers = new ArrayList<>();
        for (WorkerEntry worker : workers.named(target)) {
            worker.connection().ifPresent(connection -> answers.add(change(worker, connection, change)));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<RelabeledWorker> change(
            WorkerEntry worker, WorkerConnection connection, LabelChange change) {
        Wanted last = wanted.get(worker);
        Wanted present = last != null && last.by == connection ? last : new Wanted(connection, worker.labels());
        WorkerLabels next = change.applyTo(present.labels).given();
        int most = Math.max(next.labels().size(), next.taints().size());
        if (most > ResourceManagerGateway.MAX_LABELS) {
            return CompletableFuture.completedFuture(new RelabeledWorker(
                    worker.id(),
                    worker.labels().given(),
                    "it would have " + most + " of them: up to " + ResourceManagerGateway.MAX_LABELS
                            + " are allowed; nothing was changed"));
        }
        CompletableFuture<RelabeledWorker> answer = new CompletableFuture<>();
        present.labels = next;
        wanted.put(worker, present);
        send(
                worker,
                present,
                problem -> answer.complete(
                        new RelabeledWorker(worker.id(), worker.labels().given(), problem)));
        return answer;
    }

    /** @param answer receives what is wrong, empty if the worker has acknowledged this or a later message */
    private void send(WorkerEntry worker, Wanted sent, Consumer<String> answer) {
        WorkerLabels labels = sent.labels;
        long number = ++lastNumber;
        sent.number = number;
        mainThread.whenComplete(sent.by.gateway().relabel(id, number, labels), (done, failure) -> {
            if (!isPresent(worker, sent)) {
                wanted.remove(worker, sent);
                answer.accept("not changed: it was lost, or registered again, in the meantime: repeat the command");
                return;
            }
            if (failure == null) {
                acknowledged(worker, sent, number, labels);
            } else if (number == sent.number) {
                mainThread.schedule(RETRY_MILLIS, () -> {
                    if (number == sent.number && isPresent(worker, sent)) {
                        send(worker, sent, problem -> {});
                    }
                });
            }
            answer.accept(
                    sent.acknowledged >= number
                            ? ""
                            : "it did not answer, and may have others already: they are sent to it until it does");
        });
    }

    private void acknowledged(WorkerEntry worker, Wanted sent, long number, WorkerLabels labels) {
        if (number <= sent.acknowledged) {
            return;
        }
        sent.acknowledged = number;
        if (number == sent.number) {
            wanted.remove(worker, sent);
        }
        workers.labels(worker, labels);
        LOG.info("worker {}: has labels {} and taints {}", worker.id(), labels.labels(), labels.taints());
    }

    private boolean isPresent(WorkerEntry worker, Wanted sent) {
        return workers.contains(worker) && worker.isInstance(sent.by.instance());
    }
}

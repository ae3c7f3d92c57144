package io.berth.core.dispatcher;

import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.DrainedWorker;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations.DrainResult;
import io.berth.core.dispatcher.state.DispatcherParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Checks an operator's request to drain workers or to end it, and passes it to the ResourceManager. Stateless.
 * Thread-safe.
 */
final class DrainRequests {

    private DrainRequests() {}

    /** @param resourceManager called only when the request is valid */
    static CompletionStage<DrainResult> drain(
            String worker,
            Optional<String> deadline,
            String reason,
            Supplier<CompletionStage<ResourceManagerGateway>> resourceManager) {
        List<Problem> problems = new ArrayList<>();
        if (worker.isBlank()) {
            problems.add(BlockRequests.noSuchWorker(worker));
        }
        OptionalLong millis = deadline.map(BlockRequests::millis).orElse(OptionalLong.of(WorkerLeave.NO_DEADLINE));
        if (millis.isEmpty()) {
            problems.add(new Problem(
                    "deadline",
                    BlockRequests.quoted(deadline.orElse("")),
                    "allowed is a number with s, m, h or d, from 1s to 30d, for example 10m; or none"));
        }
        if (reason.isBlank()
                || reason.strip().length() > WorkerLeave.MAX_REASON
                || reason.chars().anyMatch(Character::isISOControl)) {
            problems.add(new Problem(
                    "reason",
                    BlockRequests.quoted(reason),
                    "allowed is one line of 1 to " + WorkerLeave.MAX_REASON + " characters"));
        }
        if (!problems.isEmpty()) {
            return DispatcherParts.done(new DrainResult.Refused(problems));
        }
        WorkerLeave leave = new WorkerLeave(millis.getAsLong(), reason.strip());
        return call(
                resourceManager,
                gateway -> gateway.drainWorkers(worker.strip(), leave),
                BlockRequests.noSuchWorker(worker));
    }

    static CompletionStage<DrainResult> undrain(
            String worker, Supplier<CompletionStage<ResourceManagerGateway>> resourceManager) {
        if (worker.isBlank()) {
            return DispatcherParts.done(new DrainResult.Refused(List.of(BlockRequests.noSuchWorker(worker))));
        }
        return call(
                resourceManager,
                gateway -> gateway.undrainWorkers(worker.strip()),
                new Problem(
                        "worker",
                        BlockRequests.quoted(worker),
                        "allowed is the id or the address of a worker that is being drained"));
    }

    private static CompletionStage<DrainResult> call(
            Supplier<CompletionStage<ResourceManagerGateway>> resourceManager,
            Function<ResourceManagerGateway, CompletionStage<List<DrainedWorker>>> call,
            Problem none) {
        return resourceManager
                .get()
                .thenCompose(call)
                .thenApply(workers ->
                        workers.isEmpty() ? new DrainResult.Refused(List.of(none)) : new DrainResult.Done(workers));
    }
}

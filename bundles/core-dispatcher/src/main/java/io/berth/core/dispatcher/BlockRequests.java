package io.berth.core.dispatcher;

import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations.BlockResult;
import io.berth.core.api.operations.DurationText;
import io.berth.core.dispatcher.state.DispatcherParts;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Checks an operator's request to block or unblock workers, and passes it to the ResourceManager. Stateless.
 * Thread-safe.
 */
final class BlockRequests {

    private static final String WORKERS =
            "allowed is the id or the address of a worker, HOST:PORT or HOST, as the list of workers shows it";

    private BlockRequests() {}

    /** @param resourceManager called only when the request is valid */
    static CompletionStage<BlockResult> block(
            String worker,
            String duration,
            String reason,
            Supplier<CompletionStage<ResourceManagerGateway>> resourceManager) {
        List<Problem> problems = new ArrayList<>();
        check(worker, problems);
        OptionalLong millis = millis(duration);
        if (millis.isEmpty()) {
            problems.add(new Problem(
                    "for", quoted(duration), "allowed is a number with s, m, h or d, from 1s to 30d, for example 10m"));
        }
        if (reason.isBlank()
                || reason.length() > ResourceManagerGateway.MAX_BLOCK_REASON
                || reason.chars().anyMatch(Character::isISOControl)) {
            problems.add(new Problem(
                    "reason",
                    quoted(reason),
                    "allowed is one line of 1 to " + ResourceManagerGateway.MAX_BLOCK_REASON + " characters"));
        }
        if (!problems.isEmpty()) {
            return DispatcherParts.done(new BlockResult.Refused(problems));
        }
        return callResourceManager(
                resourceManager,
                gateway -> gateway.blockWorkers(worker.strip(), millis.getAsLong(), reason.strip()),
                noSuchWorker(worker));
    }

    static CompletionStage<BlockResult> unblock(
            String worker, Supplier<CompletionStage<ResourceManagerGateway>> resourceManager) {
        List<Problem> problems = new ArrayList<>();
        check(worker, problems);
        if (!problems.isEmpty()) {
            return DispatcherParts.done(new BlockResult.Refused(problems));
        }
        return callResourceManager(
                resourceManager,
                gateway -> gateway.unblockWorkers(worker.strip()),
                new Problem("worker", quoted(worker), "allowed is the id or the address of a worker that is blocked"));
    }

    private static CompletionStage<BlockResult> callResourceManager(
            Supplier<CompletionStage<ResourceManagerGateway>> resourceManager,
            Function<ResourceManagerGateway, CompletionStage<List<WorkerBlock>>> call,
            Problem none) {
        return resourceManager
                .get()
                .thenCompose(call)
                .thenApply(blocks ->
                        blocks.isEmpty() ? new BlockResult.Refused(List.of(none)) : new BlockResult.Done(blocks));
    }

    private static void check(String worker, List<Problem> problems) {
        if (worker.isBlank()) {
            problems.add(noSuchWorker(worker));
        }
    }

    static Problem noSuchWorker(String worker) {
        return new Problem("worker", quoted(worker), WORKERS);
    }

    /** The duration in ms; empty when the text is not a valid duration. */
    static OptionalLong millis(String duration) {
        return DurationText.millis(duration, ResourceManagerGateway.MAX_BLOCK_MILLIS);
    }

    static String quoted(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", " ");
        return "'" + (plain.length() > 100 ? plain.substring(0, 100) + "..." : plain) + "'";
    }
}

package io.berth.worker;

import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.worker.log.TaskLogs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Reads logs off the main thread. Thread-safe. */
record LogReading(TaskLogs logs, Executor files) {

    CompletionStage<LogList> list(LogFilter filter) {
        return CompletableFuture.supplyAsync(() -> logs.list(filter), files);
    }

    CompletionStage<LogPart> read(LogRequest request) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return logs.read(request);
                    } catch (IOException failure) {
                        throw new UncheckedIOException("the log cannot be read: " + failure.getMessage(), failure);
                    }
                },
                files);
    }
}

package io.berth.runtime.dataflow.exchange.result;

import io.berth.core.api.task.RuntimeSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where stored results are, and their limits.
 *
 * @param folder of this worker process alone: what is in it at the start is deleted; empty: a temporary one
 * @param maxBytes maximum size of all results of the worker on its disk
 * @param memoryBytes memory that a task uses for each edge that it writes to disk
 */
public record ResultSettings(Optional<Path> folder, long maxBytes, int memoryBytes) {

    /** With the limits of the runtime. */
    public static ResultSettings of(Optional<Path> folder, RuntimeSettings settings) {
        return new ResultSettings(folder, settings.get(RuntimeSettings.RESULTS_BYTES), (int)
                settings.get(RuntimeSettings.RESULTS_MEMORY_BYTES));
    }
}

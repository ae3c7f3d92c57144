package io.berth.worker.log;

import io.berth.core.api.task.RuntimeSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where logs are, and how large they may become.
 *
 * @param folder that the workers of this machine share; each has a folder of its own below
 * @param taskBytes of the log of one task; its older half is removed when it is full
 * @param tasksBytes of the logs of all tasks of this worker; those of the tasks that ended first are removed
 * @param workerBytes of the own log of the worker
 */
public record LogSettings(Path folder, long taskBytes, long tasksBytes, long workerBytes) {

    /**
     * Reads the framework properties {@code berth.worker.*}.
     *
     * @param property gives the text of a property, null when it is not set, as a bundle context does
     * @throws IllegalArgumentException names the setting, its value and what is allowed
     */
    public static LogSettings read(Function<String, String> property) {
        RuntimeSettings runtime = RuntimeSettings.of(Optional.ofNullable(property.apply("berth.worker.runtime"))
                .map(lines -> lines.lines().toList())
                .orElse(List.of()));
        String work = Optional.ofNullable(property.apply("berth.worker.work"))
                .orElseThrow(() -> new IllegalArgumentException(
                        "framework property berth.worker.work is not set: start the worker by lib/berth-worker.jar"));
        Path folder = Optional.ofNullable(property.apply("berth.worker.logs"))
                .filter(text -> !text.isEmpty())
                .map(Path::of)
                .orElseGet(() -> Path.of(work, "logs"));
        return new LogSettings(
                folder,
                runtime.get(RuntimeSettings.TASK_LOG_BYTES),
                runtime.get(RuntimeSettings.TASK_LOGS_BYTES),
                runtime.get(RuntimeSettings.WORKER_LOG_BYTES));
    }
}

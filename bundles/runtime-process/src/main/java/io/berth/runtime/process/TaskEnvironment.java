package io.berth.runtime.process;

import io.berth.core.api.process.ProcessSettings;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.spi.ResourceProfile;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The environment of a process: that of the worker, what the job sets, and what describes the task. */
final class TaskEnvironment {

    private TaskEnvironment() {}

    static SortedMap<String, String> of(
            Map<String, String> worker,
            TaskDeployment deployment,
            ProcessSettings settings,
            ResourceProfile resources,
            Path directory,
            Optional<Path> script) {
        SortedMap<String, String> variables = new TreeMap<>(worker);
        // The worker may itself be a process of a task.
        variables.keySet().removeIf(name -> name.startsWith("BERTH_"));
        variables.putAll(settings.environment());
        AttemptId attempt = deployment.attempt();
        variables.put("BERTH_JOB_ID", attempt.job().value());
        variables.put("BERTH_JOB_NAME", deployment.jobName());
        variables.put("BERTH_VERTEX", attempt.chain());
        variables.put("BERTH_RANK", Integer.toString(attempt.subtask()));
        variables.put("BERTH_SIZE", Integer.toString(deployment.parallelism()));
        variables.put(
                "BERTH_ATTEMPT",
                Long.toString(attempt.epoch(), 36) + "." + attempt.execution() + "." + attempt.restart());
        variables.put("BERTH_DIRECTORY", directory.toString());
        script.ifPresent(file -> variables.put("BERTH_SCRIPT", file.toString()));
        if (!deployment.rendezvous().isEmpty()) {
            variables.put("BERTH_RENDEZVOUS", deployment.rendezvous());
        }
        if (!resources.isUnknown()) {
            variables.put("BERTH_CPU", String.format(Locale.ROOT, "%.3f", resources.cpuMillis() / 1000.0));
            variables.put(
                    "BERTH_MEMORY_BYTES",
                    Long.toString(resources.heapBytes() + resources.offHeapBytes() + resources.managedBytes()));
            resources
                    .extended()
                    .forEach((name, amount) -> variables.put("BERTH_RESOURCE_" + variable(name), amount.toString()));
        }
        return variables;
    }

    private static String variable(String resource) {
        return resource.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }
}

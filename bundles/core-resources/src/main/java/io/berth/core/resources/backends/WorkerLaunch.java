package io.berth.core.resources.backends;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.role.LeaderFile;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.resources.logs.HostLogs;
import io.berth.core.resources.logs.LogBounds;
import io.berth.core.resources.settings.ResourcesConfiguration;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.LaunchDescription;
import io.berth.spi.backend.WorkerArchive;
import io.berth.spi.backend.WorkerSpec;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * How a worker is started on this machine.
 *
 * @param java program that runs the worker
 * @param home of the unpacked worker archive
 * @param options of its JVM
 * @param overheadMebibytes heap and direct memory for the worker itself, beyond what it offers
 * @param directory parent of the directory of each worker
 * @param masters addresses of the processes that may serve the ResourceManager, at least one; workers try them in turn
 * @param secured whether processes of this cluster know each other by certificates
 * @param runtime settings of the runtime, for the next worker
 * @param environment variables and secrets of the process
 * @param resourceManagerTimeoutMillis how long a worker runs without a ResourceManager
 * @param logBounds how much is kept of the logs of workers that are gone
 */
public record WorkerLaunch(
        String java,
        Path home,
        List<String> options,
        int overheadMebibytes,
        Path directory,
        List<RpcAddress> masters,
        boolean secured,
        Supplier<RuntimeSettings> runtime,
        LaunchEnvironment environment,
        long resourceManagerTimeoutMillis,
        LogBounds logBounds) {

    private static final long MEBIBYTE = 1 << 20;
    /** What a JVM needs beside heap and direct memory: classes, compiled code, threads and the collector. */
    private static final long JVM_MEBIBYTES = 256;

    private static final List<Unit> UNITS =
            List.of(new Unit(1L << 30, "g"), new Unit(MEBIBYTE, "m"), new Unit(1L << 10, "k"), new Unit(1, ""));

    public WorkerLaunch {
        options = List.copyOf(options);
        masters = List.copyOf(masters);
        if (masters.isEmpty()) {
            throw new IllegalArgumentException("masters is empty: at least one address is needed");
        }
        if (overheadMebibytes < 32) {
            throw new IllegalArgumentException(
                    "worker.memory.overhead.mib is " + overheadMebibytes + ": at least 32 is allowed");
        }
    }

    /** For a cluster with one process that may serve the ResourceManager, with default settings of the runtime. */
    public WorkerLaunch(
            String java,
            Path home,
            List<String> options,
            int overheadMebibytes,
            Path directory,
            RpcAddress master,
            long resourceManagerTimeoutMillis) {
        this(
                java,
                home,
                options,
                overheadMebibytes,
                directory,
                List.of(master),
                false,
                () -> RuntimeSettings.DEFAULTS,
                LaunchEnvironment.NONE,
                resourceManagerTimeoutMillis,
                LogBounds.DEFAULTS);
    }

    private record Unit(long bytes, String suffix) {}

    /** @param rpc whose address is used if no masters are configured */
    public static WorkerLaunch of(
            ResourcesConfiguration configuration, Supplier<RuntimeSettings> runtime, RpcService rpc) {
        String java = configuration.worker_java().isBlank()
                ? Path.of(System.getProperty("java.home"), "bin", "java").toString()
                : configuration.worker_java().strip();
        Path home = configuration.worker_home().isBlank()
                ? Path.of(System.getProperty("karaf.home", "."), "worker")
                : Path.of(configuration.worker_home().strip());
        Path directory = configuration.worker_directory().isBlank()
                ? Path.of(System.getProperty("karaf.data", "data"), "berth")
                : Path.of(configuration.worker_directory().strip());
        List<String> options = configuration.worker_java_options().isBlank()
                ? List.of()
                : List.of(configuration.worker_java_options().strip().split("\\s+"));
        return new WorkerLaunch(
                java,
                home.toAbsolutePath(),
                options,
                configuration.worker_memory_overhead_mib(),
                directory.toAbsolutePath(),
                masters(configuration.masters(), rpc.address()),
                rpc.isSecured(),
                runtime,
                LaunchEnvironment.of(configuration.worker_environment(), configuration.worker_secrets_file()),
                configuration.worker_resource_manager_timeout_ms(),
                LogBounds.of(configuration.worker_logs_max_mib(), configuration.worker_logs_max_age_hours()));
    }

    private static List<RpcAddress> masters(String text, RpcAddress own) {
        if (text.isBlank()) {
            return List.of(own);
        }
        try {
            return Arrays.stream(text.split(","))
                    .map(String::strip)
                    .map(RpcAddress::parse)
                    .distinct()
                    .toList();
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(
                    "masters is '" + text + "': " + refused.getMessage() + ", several separated by commas", refused);
        }
    }

    /** Whether another process may serve the ResourceManager. */
    public boolean hasOther(RpcAddress own) {
        return masters.stream().anyMatch(master -> !master.equals(own));
    }

    /** Where a backend keeps logs and process records. */
    Path backendDirectory(String backend) {
        return directory.resolve("backend-" + backend);
    }

    /** Where workers of this machine find the leader: the same file for all processes that share the directory. */
    public LeaderFile leaderFile() {
        return new LeaderFile(directory.resolve(EndpointName.RESOURCE_MANAGER.value()), EndpointName.RESOURCE_MANAGER);
    }

    /** The files of workers as one file. Packs them if they have changed: not on a main thread. */
    WorkerArchive archive() throws IOException {
        return WorkerArchives.of(home, directory.resolve("worker-archive"));
    }

    /** Where a worker keeps its files until it ends. */
    Path workDirectory(WorkerId worker) {
        return directory.resolve("workers").resolve(worker.value());
    }

    /** Where workers of this machine keep their logs, also after their end. */
    public HostLogs hostLogs() {
        return new HostLogs(directory.resolve("worker-logs"), logBounds);
    }

    /**
     * How a worker of a backend is started.
     *
     * @throws IllegalStateException when its secrets cannot be read, or the worker could not join
     */
    LaunchDescription describe(WorkerId worker, String backend, WorkerSpec spec) {
        if (secured) {
            throw new IllegalStateException(
                    "processes of this cluster know each other by certificates, and workers that"
                            + " backends start have none: start workers by `berth worker --security`, and let the backend start"
                            + " none");
        }
        ResourceProfile total = spec.total();
        RuntimeSettings settings = runtime.get();
        long heap = mebibytes(total.heapBytes() + total.managedBytes() + settings.moreHeapBytes());
        long direct = mebibytes(total.offHeapBytes());
        List<String> javaOptions = new ArrayList<>();
        javaOptions.add("-Xmx" + heap + "m");
        javaOptions.add("-XX:MaxDirectMemorySize=" + direct + "m");
        javaOptions.addAll(options);
        List<String> arguments = new ArrayList<>();
        argument(arguments, "--id", worker.value());
        argument(
                arguments,
                "--cpu",
                BigDecimal.valueOf(total.cpuMillis(), 3).stripTrailingZeros().toPlainString());
        argument(arguments, "--memory", size(total.heapBytes()));
        if (total.offHeapBytes() > 0) {
            argument(arguments, "--off-heap", size(total.offHeapBytes()));
        }
        if (total.managedBytes() > 0) {
            argument(arguments, "--managed", size(total.managedBytes()));
        }
        total.extended().forEach((name, amount) -> argument(arguments, "--resource", name + "=" + amount));
        argument(arguments, "--slots", Integer.toString(spec.defaultSlots()));
        argument(arguments, "--backend", backend);
        argument(arguments, "--spec", spec.name());
        spec.labels().forEach((key, value) -> argument(arguments, "--label", key + "=" + value));
        spec.taints().forEach((key, value) -> argument(arguments, "--taint", key + "=" + value));
        argument(arguments, "--resource-manager-timeout-ms", Long.toString(resourceManagerTimeoutMillis));
        settings.changed().forEach((key, value) -> argument(arguments, "--runtime", key + "=" + value));
        List<String> local = new ArrayList<>();
        argument(local, "--leader-file", leaderFile().path().toString());
        argument(local, "--work", workDirectory(worker).toString());
        argument(local, "--logs", hostLogs().folder().toString());
        return LaunchDescription.of(worker)
                .java(java)
                .home(home)
                .classPath(List.of("lib/berth-worker.jar"))
                .mainClass("io.berth.worker.launcher.Launcher")
                .javaOptions(javaOptions)
                .arguments(arguments)
                .controlPlane(masters.stream().map(RpcAddress::toString).toList())
                .localArguments(local)
                .environment(environment.variables())
                .secrets(environment.secrets())
                .memory(heap * MEBIBYTE, direct * MEBIBYTE, (heap + direct + JVM_MEBIBYTES) * MEBIBYTE)
                .build();
    }

    private static void argument(List<String> command, String name, String value) {
        command.add(name);
        command.add(value);
    }

    private long mebibytes(long bytes) {
        return (bytes + MEBIBYTE - 1) / MEBIBYTE + overheadMebibytes;
    }

    private static String size(long bytes) {
        for (Unit unit : UNITS) {
            if (bytes > 0 && bytes % unit.bytes() == 0) {
                return bytes / unit.bytes() + unit.suffix();
            }
        }
        return Long.toString(bytes);
    }
}

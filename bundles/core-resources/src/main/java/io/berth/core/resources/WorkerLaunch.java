package io.berth.core.resources;

import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a worker is started on this machine.
 *
 * @param java program that runs it
 * @param home of the unpacked worker archive
 * @param options of its JVM
 * @param overheadMebibytes heap and direct memory of the worker's own, beyond what it offers
 * @param directory below which each worker has its own
 * @param master address of the process where the ResourceManager is served
 * @param resourceManagerTimeoutMillis after it without a ResourceManager the worker ends itself
 */
public record WorkerLaunch(
        String java,
        Path home,
        List<String> options,
        int overheadMebibytes,
        Path directory,
        RpcAddress master,
        long resourceManagerTimeoutMillis) {

    private static final long MEBIBYTE = 1 << 20;
    private static final List<Unit> UNITS =
            List.of(new Unit(1L << 30, "g"), new Unit(MEBIBYTE, "m"), new Unit(1L << 10, "k"), new Unit(1, ""));

    public WorkerLaunch {
        options = List.copyOf(options);
        if (overheadMebibytes < 32) {
            throw new IllegalArgumentException(
                    "worker.memory.overhead.mib is " + overheadMebibytes + ": at least 32 is allowed");
        }
    }

    private record Unit(long bytes, String suffix) {}

    static WorkerLaunch of(ResourcesConfiguration configuration, RpcAddress master) {
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
                master,
                configuration.worker_resource_manager_timeout_ms());
    }

    /** Where a backend keeps logs and process records. */
    Path backendDirectory(String backend) {
        return directory.resolve("backend-" + backend);
    }

    /** Where a worker keeps its files; of no use once it has ended. */
    Path workDirectory(WorkerId worker) {
        return directory.resolve("workers").resolve(worker.value());
    }

    /** Program and arguments. */
    List<String> command(WorkerId worker, String backend, WorkerSpec spec) {
        ResourceProfile total = spec.total();
        List<String> command = new ArrayList<>();
        command.add(java);
        command.add("-Xmx" + mebibytes(total.heapBytes() + total.managedBytes()) + "m");
        command.add("-XX:MaxDirectMemorySize=" + mebibytes(total.offHeapBytes()) + "m");
        command.addAll(options);
        command.add("-jar");
        command.add(home.resolve("lib").resolve("berth-worker.jar").toString());
        argument(command, "--master", master.toString());
        argument(command, "--id", worker.value());
        argument(command, "--cpu", BigDecimal.valueOf(total.cpuMillis(), 3).stripTrailingZeros().toPlainString());
        argument(command, "--memory", size(total.heapBytes()));
        argument(command, "--slots", Integer.toString(spec.defaultSlots()));
        argument(command, "--backend", backend);
        argument(command, "--spec", spec.name());
        argument(command, "--work", workDirectory(worker).toString());
        argument(command, "--resource-manager-timeout-ms", Long.toString(resourceManagerTimeoutMillis));
        return command;
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

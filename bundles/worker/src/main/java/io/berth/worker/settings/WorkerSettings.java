package io.berth.worker.settings;

import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.registration.RegistrationSettings;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Settings of a worker. The launcher checks the command line and passes it as framework properties.
 *
 * @param masters where processes of the control plane listen: one of them serves the ResourceManager
 * @param host at which it listens, and others reach it
 * @param leaderFile in which the ResourceManager of this machine writes its address
 * @param total what the worker offers to slots
 * @param defaultSlots how many default slots the total divides into
 * @param backend name of what started the worker; {@code standalone} when started by hand
 * @param spec of the backend; empty when there is none
 * @param costPerHour what the worker costs, in the operator's currency; 0: as much as its spec
 * @param work folder for the files of this worker process
 * @param resourceManagerTimeoutMillis after which a process without a ResourceManager ends
 * @param slotTimeoutMillis after which a slot that no JobMaster accepted is freed (FLIP-6)
 * @param bundleCacheMillis how long a job's bundles stay installed after its last slot was freed, and after its end
 * @param bundleStartMillis how long download, installation and start of a job's bundles may take
 * @param taskStuckMillis how long a canceled task may take to end before the process ends
 * @param registration how registrations are retried
 */
public record WorkerSettings(
        WorkerId worker,
        List<RpcAddress> masters,
        String host,
        Optional<Path> leaderFile,
        ResourceProfile total,
        int defaultSlots,
        String backend,
        String spec,
        WorkerLabels labels,
        double costPerHour,
        Path work,
        long resourceManagerTimeoutMillis,
        long slotTimeoutMillis,
        long bundleCacheMillis,
        long bundleStartMillis,
        long taskStuckMillis,
        RegistrationSettings registration) {

    private static final String PREFIX = "berth.worker.";

    public WorkerSettings {
        masters = masters.stream().distinct().toList();
        if (masters.isEmpty()) {
            throw new IllegalArgumentException("masters is empty: at least one address is needed");
        }
        if (defaultSlots < 1) {
            throw new IllegalArgumentException("slots is " + defaultSlots + ": at least 1 is allowed");
        }
        if (!(costPerHour >= 0 && costPerHour <= ResourceManagerGateway.MAX_COST_PER_HOUR)) {
            throw new IllegalArgumentException("cost per hour is " + costPerHour + ": allowed is 0 to "
                    + (long) ResourceManagerGateway.MAX_COST_PER_HOUR);
        }
        requirePositive("resource manager timeout", resourceManagerTimeoutMillis);
        requirePositive("slot timeout", slotTimeoutMillis);
        requirePositive("bundle cache time", bundleCacheMillis);
        requirePositive("bundle start time", bundleStartMillis);
        requirePositive("time for a canceled task to end", taskStuckMillis);
    }

    private static void requirePositive(String name, long millis) {
        if (millis < 1) {
            throw new IllegalArgumentException(name + " is " + millis + " ms: at least 1 ms is allowed");
        }
    }

    /**
     * Reads the framework properties {@code berth.worker.*}.
     *
     * @param property gives the text of a property, null when it is not set, as a bundle context does
     * @throws IllegalArgumentException names the property, its value and what is allowed
     */
    public static WorkerSettings read(Function<String, String> property) {
        return new WorkerSettings(
                new WorkerId(text(property, "id", Optional.empty())),
                Arrays.stream(text(property, "master", Optional.empty()).split(","))
                        .map(RpcAddress::parse)
                        .toList(),
                text(property, "host", Optional.of("127.0.0.1")),
                Optional.of(text(property, "leader.file", Optional.of("")))
                        .filter(file -> !file.isEmpty())
                        .map(Path::of),
                new ResourceProfile(
                        number(property, "cpu.millis", Optional.empty()),
                        number(property, "heap.bytes", Optional.empty()),
                        number(property, "off.heap.bytes", Optional.of(0L)),
                        number(property, "managed.bytes", Optional.of(0L)),
                        amounts(property)),
                Math.toIntExact(number(property, "slots", Optional.of(1L))),
                text(property, "backend", Optional.of("standalone")),
                text(property, "spec", Optional.of("")),
                new WorkerLabels(
                        pairs("label", text(property, "labels", Optional.of(""))),
                        pairs("taint", text(property, "taints", Optional.of("")))),
                decimal("cost.per.hour", text(property, "cost.per.hour", Optional.of("0"))),
                Path.of(text(property, "work", Optional.empty())),
                number(property, "resource.manager.timeout.ms", Optional.of(300_000L)),
                number(property, "slot.timeout.ms", Optional.of(10_000L)),
                number(property, "bundle.cache.ms", Optional.of(10_000L)),
                number(property, "bundle.start.ms", Optional.of(30_000L)),
                number(property, "task.stuck.ms", Optional.of(180_000L)),
                RegistrationSettings.DEFAULTS);
    }

    private static String text(Function<String, String> property, String name, Optional<String> fallback) {
        return Optional.ofNullable(property.apply(PREFIX + name))
                .or(() -> fallback)
                .orElseThrow(() -> new IllegalArgumentException("framework property " + PREFIX + name
                        + " is not set: start the worker by lib/berth-worker.jar"));
    }

    private static long number(Function<String, String> property, String name, Optional<Long> fallback) {
        return number(name, text(property, name, fallback.map(String::valueOf)));
    }

    private static long number(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException failure) {
            throw new IllegalArgumentException(
                    "framework property " + PREFIX + name + " is '" + text + "': allowed is a whole number", failure);
        }
    }

    private static double decimal(String name, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException failure) {
            throw new IllegalArgumentException(
                    "framework property " + PREFIX + name + " is '" + text + "': allowed is a number", failure);
        }
    }

    /** Further resources, one {@code name=amount} per line. */
    private static SortedMap<String, Long> amounts(Function<String, String> property) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        text(property, "resources", Optional.of("")).lines().forEach(line -> {
            // The name of a resource may contain the sign.
            int equals = line.lastIndexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("resource '" + line + "': allowed is name=amount");
            }
            amounts.put(line.substring(0, equals), number("resources", line.substring(equals + 1)));
        });
        return amounts;
    }

    /** One {@code key=value} per line. */
    private static SortedMap<String, String> pairs(String what, String lines) {
        SortedMap<String, String> pairs = new TreeMap<>();
        lines.lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(what + " '" + line + "': allowed is key=value");
            }
            pairs.put(line.substring(0, equals), line.substring(equals + 1));
        });
        return pairs;
    }
}

package io.berth.backend.local;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import java.math.BigDecimal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Configuration of the backend.
 *
 * @param spec the only kind of worker that it starts
 * @param exitGraceMillis how long a worker may take to end before it is killed
 * @param stableMillis a worker that ends sooner without a request counts as a failed start
 * @param mostFailures failed starts in a row after which the backend pauses
 * @param pauseMillis length of that pause
 * @param mostLogBytes size at which the log of a worker is rotated; one older file is kept
 * @param logsKept logs of ended workers that are kept
 */
record LocalConfiguration(
        WorkerSpec spec,
        long exitGraceMillis,
        long stableMillis,
        int mostFailures,
        long pauseMillis,
        long mostLogBytes,
        int logsKept) {

    private static final long MAX_MEMORY = 1L << 50;

    static final List<ConfigurationKey> KEYS = List.of(
            ConfigurationKey.decimal(
                    "worker.cpu", 2, 0.001, 10_000, "cores that a worker offers, up to three decimals"),
            ConfigurationKey.size("worker.memory", 1L << 30, 1_024, MAX_MEMORY, "heap that a worker offers"),
            ConfigurationKey.size("worker.off.heap", 0, 0, MAX_MEMORY, "memory outside the heap that a worker offers"),
            ConfigurationKey.size(
                    "worker.managed", 0, 0, MAX_MEMORY, "memory managed by the task runtime that a worker offers"),
            ConfigurationKey.list(
                    "worker.resources", List.of(), "further resources that a worker offers: NAME=AMOUNT, ..."),
            ConfigurationKey.number("worker.slots", 2, 1, 10_000, "default slots of a worker"),
            ConfigurationKey.list("worker.labels", List.of(), "labels that a worker starts with: KEY=VALUE, ..."),
            ConfigurationKey.list("worker.taints", List.of(), "taints that a worker starts with: KEY=VALUE, ..."),
            ConfigurationKey.decimal(
                    "worker.cost.per.hour", 0, 0, 1_000_000, "what a worker costs for each hour; 0: not known"),
            ConfigurationKey.number("workers.min", 0, 0, 10_000, "workers that are kept even if nothing needs them"),
            ConfigurationKey.number("workers.max", 4, 0, 10_000, "largest number of workers at once"),
            ConfigurationKey.number("exit.grace.ms", 3_000, 0, 8_000, "time to end before a worker is killed"),
            ConfigurationKey.number(
                    "worker.stable.ms", 10_000, 0, 3_600_000, "a worker that ends sooner counts as a failed start"),
            ConfigurationKey.number("start.failures.max", 5, 1, 1_000, "failed starts in a row before a pause"),
            ConfigurationKey.number("start.pause.ms", 30_000, 1, 3_600_000, "length of that pause"),
            ConfigurationKey.number(
                    "log.max.bytes", 10_485_760, 1_024, 1L << 40, "size at which a worker's log is rotated"),
            ConfigurationKey.number("logs.kept", 20, 0, 10_000, "logs of ended workers that are kept"));

    private static final int MAX_PAIRS = 64;
    private static final Pattern PAIR =
            Pattern.compile("([A-Za-z0-9](?:[A-Za-z0-9._/-]{0,126}[A-Za-z0-9])?)=(.{1,256})");
    private static final int MAX_RESOURCES = 32;
    private static final Pattern RESOURCE = Pattern.compile("([^=\\p{Cntrl}]{1,64})=([1-9][0-9]{0,8})");

    static LocalConfiguration of(PolicyConfiguration configuration) throws InvalidConfigurationException {
        long most = configuration.number("workers.max");
        long least = configuration.number("workers.min");
        if (least > most) {
            throw new InvalidConfigurationException(
                    "workers.min is " + least + ": allowed is 0 to workers.max, which is " + most);
        }
        ResourceProfile total = new ResourceProfile(
                millis(configuration.decimal("worker.cpu")),
                configuration.size("worker.memory"),
                configuration.size("worker.off.heap"),
                configuration.size("worker.managed"),
                resources(configuration));
        WorkerSpec spec = WorkerSpec.of("default", total)
                .defaultSlots((int) configuration.number("worker.slots"))
                .minimum((int) least)
                .maximum((int) most)
                .labels(pairs(configuration, "worker.labels"))
                .taints(pairs(configuration, "worker.taints"))
                .costPerHour(configuration.decimal("worker.cost.per.hour"))
                .build();
        return new LocalConfiguration(
                spec,
                configuration.number("exit.grace.ms"),
                configuration.number("worker.stable.ms"),
                (int) configuration.number("start.failures.max"),
                configuration.number("start.pause.ms"),
                configuration.number("log.max.bytes"),
                (int) configuration.number("logs.kept"));
    }

    private static SortedMap<String, String> pairs(PolicyConfiguration configuration, String key)
            throws InvalidConfigurationException {
        SortedMap<String, String> pairs = new TreeMap<>();
        for (String item : configuration.list(key)) {
            Matcher pair = PAIR.matcher(item);
            if (!pair.matches() || item.startsWith("berth.") || pairs.put(pair.group(1), pair.group(2)) != null) {
                throw new InvalidConfigurationException(key + " has '" + item
                        + "': allowed is KEY=VALUE, each key once; a key has 1 to 128 letters, digits, '.', '_', '/'"
                        + " and '-', and does not begin with berth.");
            }
        }
        if (pairs.size() > MAX_PAIRS) {
            throw new InvalidConfigurationException(
                    key + " has " + pairs.size() + " items: up to " + MAX_PAIRS + " are allowed");
        }
        return pairs;
    }

    private static SortedMap<String, Long> resources(PolicyConfiguration configuration)
            throws InvalidConfigurationException {
        SortedMap<String, Long> resources = new TreeMap<>();
        for (String item : configuration.list("worker.resources")) {
            Matcher resource = RESOURCE.matcher(item);
            if (!resource.matches()
                    || resources.put(resource.group(1), Long.parseLong(resource.group(2))) != null
                    || resources.size() > MAX_RESOURCES) {
                throw new InvalidConfigurationException("worker.resources has '" + item
                        + "': allowed is NAME=AMOUNT, each name once, up to " + MAX_RESOURCES
                        + "; a name has 1 to 64 characters, an amount is from 1 to 999999999");
            }
        }
        return resources;
    }

    private static long millis(double cores) throws InvalidConfigurationException {
        try {
            return BigDecimal.valueOf(cores).movePointRight(3).longValueExact();
        } catch (ArithmeticException refused) {
            throw new InvalidConfigurationException(
                    "worker.cpu is " + cores + ": cores with up to three decimals are allowed");
        }
    }
}

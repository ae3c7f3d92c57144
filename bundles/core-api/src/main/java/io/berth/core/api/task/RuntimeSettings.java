package io.berth.core.api.task;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings of the runtime {@code dataflow} and of the logs of workers. The control plane validates them. It passes those that differ from
 * their defaults to the workers that it starts, because workers have no configuration of their own. Immutable.
 */
public final class RuntimeSettings {

    public static final String NETWORK_MEMORY_BYTES = "network.memory.bytes";
    public static final String CHANNEL_BUFFERS = "exchange.channel.buffers";
    public static final String PRODUCER_WAIT_MILLIS = "exchange.producer.wait.ms";
    public static final String CONNECT_TIMEOUT_MILLIS = "exchange.connect.timeout.ms";
    public static final String KEEPALIVE_MILLIS = "exchange.keepalive.ms";
    public static final String EXCHANGE_THREADS = "exchange.threads";
    public static final String RESULTS_BYTES = "exchange.results.bytes";
    public static final String RESULTS_MEMORY_BYTES = "exchange.results.memory.bytes";
    public static final String FLUSH_INTERVAL_MILLIS = "flush.interval.ms";
    public static final String CANCEL_TIMEOUT_MILLIS = "task.cancel.timeout.ms";
    public static final String TASK_LOG_BYTES = "log.task.max.bytes";
    public static final String TASK_LOGS_BYTES = "log.tasks.max.bytes";
    public static final String WORKER_LOG_BYTES = "log.worker.max.bytes";

    /**
     * How many stored partitions a task reads at the same time: so many ends of channels it needs at most for all of them
     * together. The others wait for their turn.
     */
    public static final int MAX_STORED_CHANNELS = 16;

    /** All keys. */
    public static final List<Key> KEYS = List.of(
            new Key(NETWORK_MEMORY_BYTES, 128L << 20, 1L << 20, 1L << 40),
            new Key(CHANNEL_BUFFERS, 8, 2, 1_024),
            new Key(PRODUCER_WAIT_MILLIS, 30_000, 1, 3_600_000),
            new Key(CONNECT_TIMEOUT_MILLIS, 10_000, 1, 600_000),
            new Key(KEEPALIVE_MILLIS, 10_000, 1, 600_000),
            new Key(EXCHANGE_THREADS, 0, 0, 256),
            new Key(RESULTS_BYTES, 10L << 30, 1L << 20, 1L << 50),
            new Key(RESULTS_MEMORY_BYTES, 8L << 20, 256L << 10, 256L << 20),
            new Key(FLUSH_INTERVAL_MILLIS, 100, 1, 60_000),
            new Key(CANCEL_TIMEOUT_MILLIS, 30_000, 100, 3_600_000),
            new Key(TASK_LOG_BYTES, 1 << 20, 64 << 10, 1L << 30),
            new Key(TASK_LOGS_BYTES, 64 << 20, 1 << 20, 1L << 40),
            new Key(WORKER_LOG_BYTES, 4 << 20, 64 << 10, 1L << 30));

    public static final RuntimeSettings DEFAULTS = of(new TreeMap<>());

    private final SortedMap<String, Long> values;

    /** A whole number from {@code least} to {@code most}. */
    public record Key(String name, long defaultValue, long least, long most) {

        private long parse(String text) {
            try {
                long value = Long.parseLong(text.strip());
                if (value >= least && value <= most) {
                    return value;
                }
            } catch (NumberFormatException failure) {
                // The exception below covers this case too.
            }
            throw new IllegalArgumentException(
                    name + " is '" + text + "': allowed is a whole number from " + least + " to " + most);
        }
    }

    private RuntimeSettings(SortedMap<String, Long> values) {
        this.values = values;
    }

    /**
     * @param given values by key; missing keys have their defaults
     * @throws IllegalArgumentException when a key or value is invalid; the message names it and what is allowed
     */
    public static RuntimeSettings of(Map<String, String> given) {
        SortedMap<String, Long> values = new TreeMap<>();
        for (Key key : KEYS) {
            String text = given.get(key.name());
            values.put(key.name(), text == null ? key.defaultValue() : key.parse(text));
        }
        for (String name : given.keySet()) {
            if (!values.containsKey(name)) {
                throw new IllegalArgumentException(
                        "key '" + name + "' is unknown: allowed are " + String.join(", ", values.keySet()));
            }
        }
        return new RuntimeSettings(values);
    }

    /**
     * @param lines one {@code KEY=VALUE} each
     * @throws IllegalArgumentException as {@link #of(Map)}
     */
    public static RuntimeSettings of(List<String> lines) {
        Map<String, String> given = new TreeMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("setting '" + line + "': allowed is KEY=VALUE");
            }
            given.put(line.substring(0, equals), line.substring(equals + 1));
        }
        return of(given);
    }

    public long get(String key) {
        Long value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("key '" + key + "' is unknown");
        }
        return value;
    }

    /** The values that differ from their defaults. */
    public SortedMap<String, Long> changed() {
        SortedMap<String, Long> changed = new TreeMap<>(values);
        changed.entrySet().removeIf(entry -> entry.getValue() == DEFAULTS.get(entry.getKey()));
        return Collections.unmodifiableSortedMap(changed);
    }

    /** How much more heap a worker needs than with the default network memory. */
    public long moreHeapBytes() {
        return Math.max(0, get(NETWORK_MEMORY_BYTES) - DEFAULTS.get(NETWORK_MEMORY_BYTES));
    }
}

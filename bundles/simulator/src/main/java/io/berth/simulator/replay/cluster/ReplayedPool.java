package io.berth.simulator.replay.cluster;

import io.berth.core.policies.pools.PoolSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings of the pool of a replay, with the half-life in the time of the core.
 *
 * @param entries as they stand in the file of the pool
 */
public record ReplayedPool(SortedMap<String, String> entries) {

    static final String PID = "io.berth.pool~default";

    private static final String HALF_LIFE = "usage.half.life";
    private static final long MIN_HALF_LIFE = 1_000;

    /** Without queues. */
    public static final ReplayedPool DEFAULT = of(new TreeMap<>(), PoolSettings.DEFAULT);

    public ReplayedPool {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }

    private static ReplayedPool of(SortedMap<String, String> entries, PoolSettings settings) {
        SortedMap<String, String> core = new TreeMap<>(entries);
        core.put(HALF_LIFE, Math.max(MIN_HALF_LIFE, settings.halfLifeMillis() / ReplayTime.LAPSE) + " ms");
        return new ReplayedPool(core);
    }

    /**
     * Reads a file as {@code etc/io.berth.pool-default.cfg}.
     *
     * @throws IllegalArgumentException names option, file, key and what is allowed
     */
    public static ReplayedPool read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "option --pool is '" + file + "': allowed is the file of a pool that can be read", unreadable);
        }
        SortedMap<String, String> entries = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> entries.put(key, properties.getProperty(key, "")));
        List<String> policies = entries.keySet().stream()
                .filter(key -> key.matches("(fallbacks\\.)?(matching|distribution)(\\..*)?"))
                .toList();
        if (!policies.isEmpty()) {
            throw new IllegalArgumentException("option --pool is '" + file + "', which has " + policies.get(0)
                    + ": allowed are queues and half-life; --policy chooses policies");
        }
        PoolSettings.Parsed parsed = PoolSettings.parse("default", entries);
        return of(
                entries,
                parsed.settings()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "option --pool is '" + file + "': " + String.join("; ", parsed.problems()))));
    }
}

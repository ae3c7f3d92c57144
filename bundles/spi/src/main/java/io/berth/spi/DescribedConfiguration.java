package io.berth.spi;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Given entries, read through the keys that a policy describes. */
record DescribedConfiguration(SortedMap<String, String> entries, List<ConfigurationKey> keys)
        implements PolicyConfiguration {

    DescribedConfiguration {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
        keys = List.copyOf(keys);
    }

    @Override
    public String text(String key) {
        ConfigurationKey known = known(key);
        String given = entries.getOrDefault(key, known.defaultValue());
        return known.type() == ValueType.TEXT ? given : given.trim();
    }

    @Override
    public long number(String key) {
        return typed(key, ValueType.NUMBER).amount(text(key)).longValueExact();
    }

    @Override
    public double decimal(String key) {
        return typed(key, ValueType.DECIMAL).amount(text(key)).doubleValue();
    }

    @Override
    public double share(String key) {
        return typed(key, ValueType.SHARE).amount(text(key)).doubleValue();
    }

    @Override
    public Duration duration(String key) {
        return Duration.ofMillis(
                typed(key, ValueType.DURATION).amount(text(key)).longValueExact());
    }

    @Override
    public long size(String key) {
        return typed(key, ValueType.SIZE).amount(text(key)).longValueExact();
    }

    @Override
    public boolean flag(String key) {
        typed(key, ValueType.FLAG);
        return Boolean.parseBoolean(text(key));
    }

    @Override
    public List<String> list(String key) {
        typed(key, ValueType.LIST);
        return ConfigurationKey.items(text(key));
    }

    @Override
    public SortedSet<String> names(String pattern) {
        ConfigurationKey known = keys.stream()
                .filter(one -> one.isPattern() && one.key().equals(pattern))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("pattern " + pattern + " is read and not described"));
        SortedSet<String> names = new TreeSet<>();
        entries.keySet().forEach(key -> known.nameIn(key).ifPresent(names::add));
        return names;
    }

    private ConfigurationKey typed(String key, ValueType type) {
        ConfigurationKey known = known(key);
        if (known.type() != type) {
            throw new IllegalArgumentException(
                    "key " + key + " is described as " + known.type() + " and read as " + type);
        }
        return known;
    }

    private ConfigurationKey known(String key) {
        return PolicyDescription.key(keys, key)
                .orElseThrow(() -> new IllegalArgumentException("key " + key + " is read and not described"));
    }
}

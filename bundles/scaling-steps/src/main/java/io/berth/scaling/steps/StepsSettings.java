package io.berth.scaling.steps;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The parameters of the policy. Immutable.
 *
 * @param general for vertices without thresholds of their own
 * @param own thresholds by the name of the vertex
 * @param backlogMillis time to read what a source has not read, or its lag, from which on it is too much; 0: never
 * @param factor of a step
 * @param step in tasks; 0: by the factor
 */
record StepsSettings(
        Thresholds general,
        SortedMap<String, Thresholds> own,
        long backlogMillis,
        double factor,
        int step,
        long pauseUpMillis,
        long pauseDownMillis,
        long waitMillis,
        long intervalMillis) {

    /** Busy shares. */
    record Thresholds(double up, double down) {}

    static List<ConfigurationKey> keys() {
        return List.of(
                ConfigurationKey.share("busy.up", 0.8, "a vertex whose tasks are at least so busy gets more"),
                ConfigurationKey.share("busy.down", 0.4, "a vertex whose tasks are less busy gets fewer"),
                ConfigurationKey.share("vertex.*.busy.up", 0.8, "busy.up of the vertex of this name"),
                ConfigurationKey.share("vertex.*.busy.down", 0.4, "busy.down of the vertex of this name"),
                ConfigurationKey.duration(
                        "backlog.up",
                        Duration.ofMinutes(1),
                        Duration.ZERO,
                        Duration.ofDays(1),
                        "with a source so far behind, the vertex with the most work gets more tasks; 0: never"),
                ConfigurationKey.decimal("factor", 1.5, 1.1, 10, "by this factor the parallelism grows or shrinks"),
                ConfigurationKey.number(
                        "step", 0, 0, 32_768, "by so many tasks it grows or shrinks instead; 0: by the factor"),
                ConfigurationKey.duration(
                        "pause.up",
                        Duration.ofMinutes(2),
                        Duration.ZERO,
                        Duration.ofDays(1),
                        "least time from a start of the job to an increase"),
                ConfigurationKey.duration(
                        "pause.down",
                        Duration.ofMinutes(15),
                        Duration.ZERO,
                        Duration.ofDays(1),
                        "least time from a start of the job to a decrease"),
                ConfigurationKey.duration(
                        "slots.wait",
                        Duration.ofMinutes(5),
                        Duration.ZERO,
                        Duration.ofHours(1),
                        "so long after a start, the job waits for at least half of the slots of an increase"),
                ConfigurationKey.duration(
                        "interval",
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(5),
                        Duration.ofHours(1),
                        "time from one look at the figures to the next"));
    }

    static StepsSettings of(PolicyConfiguration configuration) throws InvalidConfigurationException {
        double factor = configuration.decimal("factor");
        int step = (int) configuration.number("step");
        Thresholds general = thresholds(configuration, "busy.up", "busy.down");
        check(configuration, general, "busy.up", "busy.down", factor, step);
        SortedSet<String> ups = configuration.names("vertex.*.busy.up");
        SortedSet<String> downs = configuration.names("vertex.*.busy.down");
        SortedMap<String, Thresholds> own = new TreeMap<>();
        ups.forEach(name -> own.put(name, general));
        downs.forEach(name -> own.put(name, general));
        for (String name : List.copyOf(own.keySet())) {
            String up = ups.contains(name) ? "vertex." + name + ".busy.up" : "busy.up";
            String down = downs.contains(name) ? "vertex." + name + ".busy.down" : "busy.down";
            Thresholds thresholds = thresholds(configuration, up, down);
            check(configuration, thresholds, up, down, factor, step);
            own.put(name, thresholds);
        }
        long pauseUp = configuration.duration("pause.up").toMillis();
        long pauseDown = configuration.duration("pause.down").toMillis();
        if (pauseDown < pauseUp) {
            throw new InvalidConfigurationException("pause.down is '" + configuration.text("pause.down")
                    + "': at least pause.up, which is " + configuration.text("pause.up") + ", is allowed");
        }
        return new StepsSettings(
                general,
                own,
                configuration.duration("backlog.up").toMillis(),
                factor,
                step,
                pauseUp,
                pauseDown,
                configuration.duration("slots.wait").toMillis(),
                configuration.duration("interval").toMillis());
    }

    private static Thresholds thresholds(PolicyConfiguration configuration, String up, String down) {
        return new Thresholds(configuration.share(up), configuration.share(down));
    }

    /** A step up from the upper threshold must not end below the lower one, nor a step down above the upper one. */
    private static void check(
            PolicyConfiguration configuration, Thresholds thresholds, String up, String down, double factor, int step)
            throws InvalidConfigurationException {
        double ratio = step > 0 ? 1 : factor;
        if (thresholds.down() * ratio >= thresholds.up()) {
            throw new InvalidConfigurationException(down + " is '" + configuration.text(down) + "': less than " + up
                    + ", which is " + configuration.text(up)
                    + (step > 0 ? "" : ", divided by the factor of " + configuration.text("factor"))
                    + ", is allowed");
        }
    }

    Thresholds thresholds(String vertex) {
        return own.getOrDefault(vertex, general);
    }
}

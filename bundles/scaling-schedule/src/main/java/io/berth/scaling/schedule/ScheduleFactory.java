package io.berth.scaling.schedule;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.service.component.annotations.Component;

/** Provides the scaling policy {@code schedule}: parallelism by the day of the week and the time of day. */
@Component(service = ScalingPolicyFactory.class, property = "service.ranking:Integer=10")
@Policy(
        kind = "scaling",
        name = "schedule",
        configuration = {"times", "vertex.*.times", "zone", "slots.wait"})
public final class ScheduleFactory implements ScalingPolicyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "schedule",
                "Tasks by the day of the week and the time of day, in a time zone",
                List.of(
                        ConfigurationKey.list(
                                "times",
                                List.of(),
                                "entries such as mon-fri 08:00=8, or sat 00:00=25% of the maximum, for each vertex"),
                        ConfigurationKey.list(
                                "vertex.*.times", List.of(), "entries for the vertex of this name, instead of times"),
                        ConfigurationKey.text(
                                "zone", "", "time zone, such as Europe/Berlin; empty: that of the control plane"),
                        ConfigurationKey.duration(
                                "slots.wait",
                                Duration.ofMinutes(5),
                                Duration.ZERO,
                                Duration.ofHours(1),
                                "so long after a start, the job waits for at least half of the slots of an increase")));
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        ZoneId zone = zone(configuration.text("zone").trim(), context);
        Timetable general = timetable(configuration, "times", zone);
        SortedMap<String, Timetable> own = new TreeMap<>();
        for (String name : configuration.names("vertex.*.times")) {
            own.put(name, timetable(configuration, "vertex." + name + ".times", zone));
        }
        long waitMillis = configuration.duration("slots.wait").toMillis();
        return job -> new ScheduleSession(job, general, own, waitMillis);
    }

    private static ZoneId zone(String name, PolicyContext context) throws InvalidConfigurationException {
        try {
            return name.isEmpty() ? context.zone() : ZoneId.of(name);
        } catch (DateTimeException unknown) {
            throw new InvalidConfigurationException(
                    "zone is '" + name + "': a time zone such as Europe/Berlin or UTC is allowed");
        }
    }

    private static Timetable timetable(PolicyConfiguration configuration, String key, ZoneId zone)
            throws InvalidConfigurationException {
        try {
            return Timetable.of(configuration.list(key), zone);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidConfigurationException(key + ": " + invalid.getMessage());
        }
    }
}

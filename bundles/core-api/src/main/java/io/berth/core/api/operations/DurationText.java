package io.berth.core.api.operations;

import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in what operators ask for: a whole number with s, m, h or d, such as {@code 10m}. */
public final class DurationText {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})([smhd])");
    private static final Map<String, TimeUnit> UNITS =
            Map.of("s", TimeUnit.SECONDS, "m", TimeUnit.MINUTES, "h", TimeUnit.HOURS, "d", TimeUnit.DAYS);

    private DurationText() {}

    /** The duration in ms; empty when the text is none, or one that is not from 1 ms to the maximum. */
    public static OptionalLong millis(String text, long maximum) {
        Matcher parts = DURATION.matcher(text.strip());
        if (!parts.matches()) {
            return OptionalLong.empty();
        }
        long millis = Objects.requireNonNull(UNITS.get(parts.group(2))).toMillis(Long.parseLong(parts.group(1)));
        return millis < 1 || millis > maximum ? OptionalLong.empty() : OptionalLong.of(millis);
    }
}

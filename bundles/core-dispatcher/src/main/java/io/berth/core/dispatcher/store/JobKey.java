package io.berth.core.dispatcher.store;

import io.berth.spi.JobId;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names the records of one job in the metadata store. The key contains place and id, so that both are known even when
 * the record cannot be read, and keys sort in the order of submission.
 *
 * @param index place in the order of submission, at least 1
 */
public record JobKey(long index, JobId id) implements Comparable<JobKey> {

    public static final String LIVE = "dispatcher/jobs/";
    public static final String ENDED = "dispatcher/ended/";

    private static final Pattern NAME = Pattern.compile("([0-9]{15})\\.([a-z0-9][a-z0-9-]{0,79})");

    /** Key of the record of the live job. */
    String live() {
        return LIVE + name();
    }

    /** Key of the record of its result. */
    String ended() {
        return ENDED + name();
    }

    private String name() {
        return String.format(Locale.ROOT, "%015d.%s", index, id.value());
    }

    /** Empty when the key does not name a job. */
    static Optional<JobKey> parse(String key) {
        String prefix = key.startsWith(LIVE) ? LIVE : ENDED;
        if (!key.startsWith(prefix)) {
            return Optional.empty();
        }
        Matcher name = NAME.matcher(key.substring(prefix.length()));
        return name.matches()
                ? Optional.of(new JobKey(Long.parseLong(name.group(1)), new JobId(name.group(2))))
                : Optional.empty();
    }

    @Override
    public int compareTo(JobKey other) {
        int byIndex = Long.compare(index, other.index);
        return byIndex != 0 ? byIndex : id.compareTo(other.id);
    }
}

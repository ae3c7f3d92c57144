package io.berth.ha.file;

import io.berth.spi.ha.Keys;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a file: key, version and whether it stands for a deletion. The name alone gives the version, so that no
 * version is used twice when the content is damaged.
 */
record RecordName(String key, long version, boolean deletion) {

    private static final Pattern NAME = Pattern.compile("([^@]+)@([0-9a-f]{16})(\\.deleted)?");

    static Optional<RecordName> parse(String fileName) {
        Matcher name = NAME.matcher(fileName);
        if (!name.matches()) {
            return Optional.empty();
        }
        long version = Long.parseUnsignedLong(name.group(2), 16);
        if (version <= 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new RecordName(Keys.check(name.group(1).replace('+', '/')), version, name.group(3) != null));
        } catch (IllegalArgumentException noKey) {
            return Optional.empty();
        }
    }

    String fileName() {
        return String.format("%s@%016x%s", key.replace('/', '+'), version, deletion ? ".deleted" : "");
    }
}

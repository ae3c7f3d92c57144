package io.berth.spi.ha;

import java.util.Optional;

/** The result of a change by compare-and-set. */
public sealed interface WriteResult {

    /**
     * The change is on stable storage.
     *
     * @param version what the next change of the record must expect: the new version, or {@link MetadataStore#ABSENT}
     *     after a delete
     */
    record Written(long version) implements WriteResult {

        public Written {
            if (version < MetadataStore.ABSENT) {
                throw new IllegalArgumentException("version " + version + ": allowed are versions from 0");
            }
        }
    }

    /**
     * Nothing changed, because the record does not have the expected version.
     *
     * @param current the current record, empty when it does not exist
     */
    record Conflict(Optional<Versioned> current) implements WriteResult {}
}

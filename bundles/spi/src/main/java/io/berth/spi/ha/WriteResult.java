package io.berth.spi.ha;

import java.util.Optional;

/** What became of a change by compare-and-set. */
public sealed interface WriteResult {

    /**
     * The change is on stable storage.
     *
     * @param version what the next change of the record is to expect: the new version, {@link MetadataStore#ABSENT}
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
     * Nothing was changed: the record has another version than expected.
     *
     * @param current the record as it is, empty when there is none
     */
    record Conflict(Optional<Versioned> current) implements WriteResult {}
}

package io.berth.spi.ha;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Small records that survive the process, each changed by compare-and-set on its version. Opened by {@link
 * MetadataStores}; Berth's roles call it.
 *
 * <p>Guarantees: a change that returned {@link WriteResult.Written} is on stable storage and seen by every later
 * read; of two changes that expect the same version one is written and the other is a conflict; a change is seen whole
 * or not at all; a version is never given twice, not even after the record was deleted.
 *
 * <p>Threads: calls block on input and output and may come from several threads at once. Never call it on the main
 * thread of a role.
 *
 * <p>Failures: {@link DamagedRecordException} when the record is there and no version of it can be read; {@link
 * SupersededException} when a later leader has the store; another {@link IOException} when the store cannot be reached,
 * is full or is closed. After an {@code IOException} from a change it is open whether the change is kept: read before
 * trying again. {@link IllegalArgumentException} for a key that {@link Keys} refuses, a value larger than {@link
 * #maxValueBytes()} or a negative version.
 */
@ConsumerType
public interface MetadataStore {

    /** The version to expect for a record that must not be there yet. No record has it. */
    long ABSENT = 0;

    /** The record, or empty when there is none. The value is the caller's own copy. */
    Optional<Versioned> read(String key) throws IOException;

    /**
     * Writes the record if its version is the expected one, {@link #ABSENT} for a record that is not there.
     *
     * @param value copied before the call returns; may be empty
     */
    WriteResult write(String key, long expectedVersion, byte[] value) throws IOException;

    /**
     * Deletes the record if its version is the expected one, which is not {@link #ABSENT}. The result then is {@code
     * Written} with {@link #ABSENT}: as after a write, the version that the next change is to expect.
     */
    WriteResult delete(String key, long expectedVersion) throws IOException;

    /** The keys that start with the prefix, sorted; all keys for an empty prefix. Damaged records are among them. */
    List<String> keys(String prefix) throws IOException;

    /** The most bytes that a value may have: at least 1 MiB. */
    int maxValueBytes();
}

package io.berth.spi.ha;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Small records that survive the process. Each change is a compare-and-set on the version of the record. {@link
 * MetadataStores} opens it; the roles of Berth call it.
 *
 * <p>Guarantees: a change that returned {@link WriteResult.Written} is on stable storage, and every later read sees
 * it. If two changes expect the same version, one is written and the other is a conflict. A reader sees a change
 * completely or not at all. A version is never used twice, not even after the record was deleted.
 *
 * <p>Threads: calls block on input and output and may come from several threads at once. Never call it on the main
 * thread of a role.
 *
 * <p>Failures: {@link DamagedRecordException} when the record exists but no version of it can be read; {@link
 * SupersededException} when a later leader owns the store; another {@link IOException} when the store cannot be
 * reached, is full or is closed. After a change failed with an {@code IOException}, it is not known whether the change
 * was kept: read before you try again. {@link IllegalArgumentException} for a key that {@link Keys} rejects, a value
 * larger than {@link #maxValueBytes()} or a negative version.
 */
@ConsumerType
public interface MetadataStore {

    /** The expected version of a record that must not exist yet. No record has this version. */
    long ABSENT = 0;

    /** The record, or empty when it does not exist. The value is a copy that belongs to the caller. */
    Optional<Versioned> read(String key) throws IOException;

    /**
     * Writes the record if its version is the expected one. {@link #ABSENT} means that the record must not exist.
     *
     * @param value copied before the call returns; may be empty
     */
    WriteResult write(String key, long expectedVersion, byte[] value) throws IOException;

    /**
     * Deletes the record if its version is the expected one, which must not be {@link #ABSENT}. The result then is
     * {@code Written} with {@link #ABSENT}: as after a write, it is the version that the next change must expect.
     */
    WriteResult delete(String key, long expectedVersion) throws IOException;

    /**
     * The keys that start with the prefix, sorted; all keys for an empty prefix. Keys of damaged records are included.
     */
    List<String> keys(String prefix) throws IOException;

    /** The maximum size of a value in bytes: at least 1 MiB. */
    int maxValueBytes();
}

package io.berth.spi.ha;

import java.io.IOException;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Opens the metadata store for one term of leadership. A bundle that implements it publishes it as an OSGi service;
 * Berth's roles call it when they are granted their role, and close what they got when they lose it (FLIP-6: leader
 * election and fencing).
 *
 * <p>Guarantees: a part of the store belongs to the greatest epoch that opened it. As soon as {@link #open} has
 * returned, nothing changes the part any more but what it returned, however long whoever had it before stands still and
 * whatever it does when it goes on; and what was acknowledged before is there. Nobody has to be asked and nobody is
 * waited for.
 *
 * <p>Threads: may be called on any thread, blocks on input and output.
 */
@ConsumerType
public interface MetadataStores {

    /**
     * Opens a part, which has records of its own.
     *
     * @param part 1 to 64 characters, {@code [a-z0-9][a-z0-9-]*}; {@link IllegalArgumentException} for another
     * @param epoch of the leader that opens it, at least 1; the same one may open it again
     * @throws SupersededException when a greater epoch has opened the part
     * @throws IOException when the part cannot be reached; nothing is open then
     */
    Term open(String part, long epoch) throws IOException;

    /** A part of the store while its epoch is the greatest one. Each call throws {@link SupersededException} after that. */
    @ConsumerType
    interface Term extends MetadataStore, AutoCloseable {

        /** Calls fail from now on; the part stays as it is. Again without effect. */
        @Override
        void close() throws IOException;
    }
}

package io.berth.spi.ha;

import java.io.IOException;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Opens the metadata store for one term of leadership. A bundle that implements it publishes it as an OSGi service. A
 * role of Berth calls it when it starts to lead, and closes the result when it stops leading (FLIP-6: leader election
 * and fencing).
 *
 * <p>Guarantees: a part of the store belongs to the greatest epoch that opened it. As soon as {@link #open} has
 * returned, only its result can change the part, even if the previous leader was paused and continues later.
 * Everything that was acknowledged before is visible. Opening does not ask or wait for any other process.
 *
 * <p>Threads: may be called on any thread; blocks on input and output.
 */
@ConsumerType
public interface MetadataStores {

    /**
     * Opens a part of the store. Each part has its own records.
     *
     * @param part 1 to 64 characters, {@code [a-z0-9][a-z0-9-]*}; {@link IllegalArgumentException} for another
     * @param epoch of the leader that opens it, at least 1; the same epoch may open it again
     * @throws SupersededException when a greater epoch has opened the part
     * @throws IOException when the part cannot be reached; nothing is open then
     */
    Term open(String part, long epoch) throws IOException;

    /**
     * A part of the store while its epoch is the greatest one. After that, each call throws {@link
     * SupersededException}.
     */
    @ConsumerType
    interface Term extends MetadataStore, AutoCloseable {

        /** Makes later calls fail; the part itself does not change. Closing twice has no effect. */
        @Override
        void close() throws IOException;
    }
}

package io.berth.core.dispatcher.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Where the content of bundles lies, by its hash: of each it is there whole or not at all. Calls block, and may come
 * from several threads at once; nobody reads or verifies a bundle that was never kept.
 */
public interface BundleFiles {

    /**
     * What the content of a bundle tells.
     *
     * @param size in bytes
     * @param operators that it offers
     */
    record Description(long size, String symbolicName, String version, List<OfferedOperator> operators) {

        public Description {
            operators = List.copyOf(operators);
        }
    }

    /** Content that was received, verified and lies aside. */
    interface Received extends AutoCloseable {

        Description description();

        /** Puts it in its place, in that of what was there. */
        void keep() throws IOException;

        /** Content that was not kept is gone. */
        @Override
        void close() throws IOException;
    }

    /**
     * A Dispatcher takes over what is there: one before it that stood still meanwhile can neither add nor delete anything
     * any more. What was received by an earlier one and not kept is removed.
     *
     * @param epoch of the Dispatcher
     * @return the hashes, sorted
     * @throws IOException also when a Dispatcher of a later epoch has begun
     */
    List<String> begin(long epoch) throws IOException;

    /**
     * Receives content; {@link #force} follows when it was kept.
     *
     * @param maxBytes more are refused, without reading all of them
     * @throws IllegalArgumentException when the content does not hash to {@code sha256}, is too large or is no bundle
     */
    Received receive(String sha256, InputStream content, long maxBytes) throws IOException;

    /** All that was kept is on stable storage when this returns. */
    void force() throws IOException;

    /**
     * Reads all of a bundle.
     *
     * @throws IllegalArgumentException when its content is not what its hash says, or no bundle
     */
    Description verify(String sha256) throws IOException;

    /**
     * Reads part of a bundle; empty at and after its end.
     *
     * @throws java.nio.file.NoSuchFileException when it is not there
     */
    byte[] read(String sha256, long offset, int length) throws IOException;

    /** Without effect when it is not there. */
    void delete(String sha256) throws IOException;
}

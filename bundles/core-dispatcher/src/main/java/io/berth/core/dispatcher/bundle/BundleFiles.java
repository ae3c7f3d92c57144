package io.berth.core.dispatcher.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The contents of bundles by hash; each is complete or absent. Calls block and may come from several threads at once.
 * Only bundles that were kept are read or verified.
 */
public interface BundleFiles {

    /**
     * What the content of a bundle describes.
     *
     * @param size in bytes
     * @param operators the operators that it offers
     */
    record Description(long size, String symbolicName, String version, List<OfferedOperator> operators) {

        public Description {
            operators = List.copyOf(operators);
        }
    }

    /** Content that was received and verified, and is not yet in its place. */
    interface Received extends AutoCloseable {

        Description description();

        /** Moves the content to its place and replaces what was there. */
        void keep() throws IOException;

        /** Deletes the content unless it was kept. */
        @Override
        void close() throws IOException;
    }

    /**
     * A Dispatcher takes over the existing bundles. An earlier one that was paused can no longer add or delete any.
     * Content that an earlier one received and did not keep is removed.
     *
     * @param epoch of the Dispatcher
     * @return the hashes, sorted
     * @throws IOException also when a Dispatcher of a later epoch has begun
     */
    List<String> begin(long epoch) throws IOException;

    /**
     * Receives content. The caller calls {@link #force} after keeping it.
     *
     * @param maxBytes larger content is refused without being read completely
     * @throws IllegalArgumentException when the content does not hash to {@code sha256}, is too large or is not a
     *     bundle
     */
    Received receive(String sha256, InputStream content, long maxBytes) throws IOException;

    /** Forces everything that was kept to stable storage. */
    void force() throws IOException;

    /**
     * Reads a whole bundle and verifies it.
     *
     * @throws IllegalArgumentException when its content does not match its hash, or is not a bundle
     */
    Description verify(String sha256) throws IOException;

    /**
     * Reads part of a bundle; empty at and after its end.
     *
     * @throws java.nio.file.NoSuchFileException when the bundle does not exist
     */
    byte[] read(String sha256, long offset, int length) throws IOException;

    /** Has no effect when the bundle does not exist. */
    void delete(String sha256) throws IOException;
}

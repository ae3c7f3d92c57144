package io.berth.testcluster;

import io.berth.core.dispatcher.bundle.BundleFiles;
import io.berth.core.dispatcher.bundle.OfferedOperator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** One bundle that has all operators of a test. It has no content, as workers take the operators from the test. */
final class OperatorFiles implements BundleFiles {

    /** What job descriptions name it by. */
    static final String SHA256 = "0".repeat(64);

    private final List<OfferedOperator> operators;

    OperatorFiles(List<OfferedOperator> operators) {
        this.operators = List.copyOf(operators);
    }

    @Override
    public List<String> begin(long epoch) {
        return List.of(SHA256);
    }

    @Override
    public Received receive(String sha256, InputStream content, long maxBytes) {
        throw new IllegalArgumentException(
                "bundle " + sha256 + ": a test cluster takes operators as objects, see BerthTestCluster.Builder");
    }

    @Override
    public void force() {}

    @Override
    public Description verify(String sha256) throws IOException {
        if (!sha256.equals(SHA256)) {
            throw new NoSuchFileException(sha256);
        }
        return new Description(1, "test", "1.0.0", operators);
    }

    @Override
    public byte[] read(String sha256, long offset, int length) throws IOException {
        throw new NoSuchFileException(sha256);
    }

    @Override
    public void delete(String sha256) {}
}

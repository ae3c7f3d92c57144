package io.berth.worker.code;

import io.berth.core.api.BundleRef;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Downloads bundles from the Dispatcher into files of the work folder. A file exists only when its content has the
 * requested hash. Methods block: call them on the bundle executor.
 */
public final class BlobCache {

    private static final int CHUNK_BYTES = 512 * 1024;
    private static final int CALLS_PER_CHUNK = 3;

    private final Path folder;
    private final long callMillis;

    /**
     * @param callMillis how long one call for a chunk may take
     */
    public BlobCache(Path folder, long callMillis) {
        this.folder = folder;
        this.callMillis = callMillis;
    }

    /** Removes the files of a previous process. */
    public void clear() throws IOException {
        Files.createDirectories(folder);
        try (var files = Files.newDirectoryStream(folder, "*.{jar,part}")) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    /**
     * Fetches a bundle into a file of its own.
     *
     * @param number distinguishes the files of repeated downloads
     * @throws IOException names the bundle and what is wrong with it
     */
    Path fetch(BundleRef bundle, long number, DispatcherGateway dispatcher) throws IOException {
        Files.createDirectories(folder);
        String name = bundle + "-" + number;
        Path part = folder.resolve(name + ".part");
        try {
            String hash = copy(bundle, dispatcher, part);
            if (!hash.equals(bundle.sha256())) {
                throw new IOException("bundle " + bundle.sha256()
                        + ": the content that the Dispatcher gave has the hash " + hash + "; upload the bundle again");
            }
            return Files.move(part, folder.resolve(name + ".jar"));
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private String copy(BundleRef bundle, DispatcherGateway dispatcher, Path part) throws IOException {
        MessageDigest digest = sha256();
        long offset = 0;
        try (OutputStream out = Files.newOutputStream(part)) {
            while (offset < bundle.size()) {
                byte[] chunk = chunk(bundle, offset, dispatcher);
                if (chunk.length == 0) {
                    break;
                }
                digest.update(chunk);
                out.write(chunk);
                offset += chunk.length;
            }
        }
        if (offset != bundle.size()) {
            throw new IOException("bundle " + bundle.sha256() + ": the Dispatcher gave " + offset + " bytes or more; "
                    + bundle.size() + " were announced; upload the bundle again");
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private byte[] chunk(BundleRef bundle, long offset, DispatcherGateway dispatcher) throws IOException {
        for (int call = 1; ; call++) {
            try {
                return dispatcher
                        .readBundle(bundle.sha256(), offset, CHUNK_BYTES)
                        .toCompletableFuture()
                        .get(callMillis, TimeUnit.MILLISECONDS)
                        .content();
            } catch (ExecutionException failure) {
                if (call == CALLS_PER_CHUNK || !isWorthRepeating(failure)) {
                    throw unreadable(bundle, offset, Failures.text(failure), failure);
                }
            } catch (TimeoutException failure) {
                if (call == CALLS_PER_CHUNK) {
                    throw unreadable(bundle, offset, "no answer within " + callMillis + " ms", failure);
                }
            } catch (InterruptedException failure) {
                Thread.currentThread().interrupt();
                throw unreadable(bundle, offset, "the worker is ending", failure);
            }
        }
    }

    private static boolean isWorthRepeating(ExecutionException failure) {
        return Failures.cause(failure) instanceof RpcException rpc
                && (rpc.kind() == RpcException.Kind.UNREACHABLE || rpc.kind() == RpcException.Kind.DEADLINE);
    }

    private static IOException unreadable(BundleRef bundle, long offset, String cause, Exception failure) {
        return new IOException(
                "bundle " + bundle.sha256() + ": cannot be read from the Dispatcher at byte " + offset + ": " + cause,
                failure);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException("every Java platform has SHA-256", failure);
        }
    }
}

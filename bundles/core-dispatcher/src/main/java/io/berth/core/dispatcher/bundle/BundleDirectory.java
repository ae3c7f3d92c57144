package io.berth.core.dispatcher.bundle;

import io.berth.core.api.operations.TooLargeException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Stores bundles as files of one directory. A file is complete or absent: it is written under a temporary name, forced
 * to disk, verified and renamed. Thread-safe.
 */
final class BundleDirectory implements BundleFiles {

    private static final String SUFFIX = ".jar";
    private static final Pattern FILE = Pattern.compile("([0-9a-f]{64})\\.([0-9]{1,18})\\.jar");
    private static final Pattern TEMPORARY = Pattern.compile("upload-([0-9]{1,18})-[0-9]+\\.tmp");
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Path directory;
    private final AtomicLong uploads = new AtomicLong();
    private volatile long epoch;

    BundleDirectory(Path directory) throws IOException {
        this.directory = directory;
        Files.createDirectories(directory);
    }

    @Override
    public List<String> begin(long newEpoch) throws IOException {
        epoch = newEpoch;
        List<String> bundles = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                Matcher bundle = FILE.matcher(name);
                Matcher temporary = TEMPORARY.matcher(name);
                if (bundle.matches()) {
                    if (takeOver(file, bundle.group(1), Long.parseLong(bundle.group(2)))) {
                        bundles.add(bundle.group(1));
                    }
                } else if (temporary.matches() && Long.parseLong(temporary.group(1)) <= newEpoch) {
                    Files.deleteIfExists(file);
                }
            }
        }
        return bundles;
    }

    /**
     * Renames a file so that its name has the epoch of this Dispatcher. An earlier Dispatcher that was paused then
     * finds no file to delete under the old name. Returns whether the file existed.
     */
    private boolean takeOver(Path file, String sha256, long of) throws IOException {
        if (of > epoch) {
            throw new IOException("bundles in " + directory + " belong to the Dispatcher of term " + of
                    + ", this is term " + epoch + ": it no longer leads");
        }
        try {
            Files.move(file, file(sha256), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException gone) {
            return false;
        }
        return true;
    }

    @Override
    public Received receive(String sha256, InputStream content, long maxBytes) throws IOException {
        Path temporary = directory.resolve("upload-" + epoch + "-" + uploads.incrementAndGet() + ".tmp");
        boolean received = false;
        try {
            long size = write(sha256, content, temporary, maxBytes);
            Description description = description(sha256, temporary, size);
            received = true;
            return new Received() {
                @Override
                public Description description() {
                    return description;
                }

                @Override
                public void keep() throws IOException {
                    Files.move(
                            temporary,
                            file(sha256),
                            StandardCopyOption.ATOMIC_MOVE,
                            StandardCopyOption.REPLACE_EXISTING);
                }

                @Override
                public void close() throws IOException {
                    Files.deleteIfExists(temporary);
                }
            };
        } finally {
            if (!received) {
                Files.deleteIfExists(temporary);
            }
        }
    }

    private static Description description(String sha256, Path file, long size) throws IOException {
        try {
            BundleManifest manifest = BundleManifest.read(file);
            return new Description(size, manifest.symbolicName(), manifest.version(), manifest.operators());
        } catch (IllegalArgumentException refusal) {
            throw new IllegalArgumentException("bundle " + sha256 + " " + refusal.getMessage(), refusal);
        }
    }

    private static long write(String sha256, InputStream content, Path file, long limit) throws IOException {
        MessageDigest digest = sha256();
        long size = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                size += read;
                if (size > limit) {
                    throw new TooLargeException("bundle " + sha256 + " has more than " + limit
                            + " bytes: at most that many are allowed (bundle.max.bytes)");
                }
                digest.update(buffer, 0, read);
                ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, read);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            channel.force(true);
        }
        String actual = HexFormat.of().formatHex(digest.digest());
        if (!actual.equals(sha256)) {
            throw new IllegalArgumentException("bundle " + sha256 + " has content of SHA-256 " + actual
                    + ": the content must hash to the name; upload it again");
        }
        return size;
    }

    @Override
    public void force() throws IOException {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    @Override
    public Description verify(String sha256) throws IOException {
        Path file = file(sha256);
        String actual = hash(file);
        if (!actual.equals(sha256)) {
            throw new IllegalArgumentException("bundle " + sha256 + " is damaged: its content has SHA-256 " + actual);
        }
        return description(sha256, file, Files.size(file));
    }

    private static String hash(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream content = Files.newInputStream(file)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException("every JVM has SHA-256", failure);
        }
    }

    @Override
    public byte[] read(String sha256, long offset, int length) throws IOException {
        try (FileChannel channel = FileChannel.open(file(sha256), StandardOpenOption.READ)) {
            int available = (int) Math.max(0, Math.min(length, channel.size() - offset));
            ByteBuffer buffer = ByteBuffer.allocate(available);
            while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) >= 0) {
                // Continue until the part is complete.
            }
            return buffer.hasRemaining() ? Arrays.copyOf(buffer.array(), buffer.position()) : buffer.array();
        }
    }

    @Override
    public void delete(String sha256) throws IOException {
        Files.deleteIfExists(file(sha256));
    }

    private Path file(String sha256) {
        return directory.resolve(sha256 + "." + epoch + SUFFIX);
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}

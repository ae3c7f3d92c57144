package io.berth.simulator.traces;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** A file of lines, plain or compressed by gzip or xz, detected by its first bytes. For one thread. */
final class TraceFile implements AutoCloseable {

    private static final byte[] GZIP = {0x1f, (byte) 0x8b};
    private static final byte[] XZ = {(byte) 0xfd, '7', 'z', 'X', 'Z', 0};
    private static final int MAX_LINE = 1_000_000;
    /** A compressed file must not fill the memory. */
    private static final int XZ_MEMORY_KIB = 256 * 1_024;

    private final Path path;
    private final BufferedReader lines;
    private int number;

    private TraceFile(Path path, BufferedReader lines) {
        this.path = path;
        this.lines = lines;
    }

    /** @throws BadTrace when it cannot be read */
    static TraceFile open(Path path) {
        if (!Files.isRegularFile(path)) {
            throw new BadTrace(path, Files.exists(path) ? "is not a file" : "does not exist");
        }
        try {
            InputStream plain = new BufferedInputStream(Files.newInputStream(path));
            plain.mark(XZ.length);
            byte[] first = plain.readNBytes(XZ.length);
            plain.reset();
            return new TraceFile(
                    path, new BufferedReader(new InputStreamReader(unpacked(plain, first), StandardCharsets.UTF_8)));
        } catch (IOException failure) {
            throw new BadTrace(path, "cannot be read: " + failure);
        }
    }

    private static InputStream unpacked(InputStream plain, byte[] first) throws IOException {
        if (first.length >= GZIP.length && Arrays.equals(Arrays.copyOf(first, GZIP.length), GZIP)) {
            return new GZIPInputStream(plain);
        }
        return Arrays.equals(first, XZ) ? new XZInputStream(plain, XZ_MEMORY_KIB) : plain;
    }

    Path path() {
        return path;
    }

    /** The next line, without the byte order mark at the start of the file; empty at the end. */
    Optional<String> next() {
        try {
            String line = lines.readLine();
            if (line == null) {
                return Optional.empty();
            }
            number++;
            if (line.length() > MAX_LINE) {
                throw new BadTrace(
                        path,
                        number,
                        MAX_LINE,
                        "the line has " + line.length() + " characters: allowed are up to " + MAX_LINE);
            }
            return Optional.of(number == 1 && line.startsWith("\uFEFF") ? line.substring(1) : line);
        } catch (IOException failure) {
            throw new BadTrace(path, number + 1, 1, "cannot be read further:  " + failure);
        }
    }

    /** Number of the last line that was read, from 1. */
    int number() {
        return number;
    }

    BadTrace bad(int column, String what) {
        return new BadTrace(path, number, column, what);
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException failure) {
            throw new BadTrace(path, "cannot be closed: " + failure);
        }
    }
}

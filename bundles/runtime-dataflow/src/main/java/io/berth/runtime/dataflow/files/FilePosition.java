package io.berth.runtime.dataflow.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where something is in a file, for messages. */
public final class FilePosition {

    private FilePosition() {}

    /** {@code FILE, line N}; a large file is read up to the offset, so this is for errors that end a task. */
    public static String of(String file, long offset) {
        long line = 1;
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            byte[] chunk = new byte[64 << 10];
            long left = offset;
            while (left > 0) {
                int read = in.read(chunk, 0, (int) Math.min(left, chunk.length));
                if (read < 0) {
                    break;
                }
                for (int i = 0; i < read; i++) {
                    line += chunk[i] == '\n' ? 1 : 0;
                }
                left -= read;
            }
        } catch (IOException gone) {
            return file + ", byte " + offset;
        }
        return file + ", line " + line;
    }
}

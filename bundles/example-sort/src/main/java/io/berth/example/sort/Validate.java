package io.berth.example.sort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Checks files of sorted records, in the order in which they are named, as {@code valsort} does: each record is above the
 * one before it, so none is there twice, and there are as many records, with the same sum of their CRC-32C, as {@code
 * sort-records} generates.
 */
public final class Validate {

    private static final int RECORDS_AT_ONCE = 10_000;

    private Validate() {}

    /** {@code --records N FILE...}; the exit code is 1 when the files are not right and 2 when an option is wrong. */
    public static void main(String[] arguments) throws IOException {
        try {
            ToolOptions options = new ToolOptions(Map.of("records", ""), arguments);
            System.out.println(check(
                    options.number("records", 0, 1L << 40),
                    options.others().stream().map(Path::of).toList()));
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(2);
        } catch (NotSortedException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(1);
        }
    }

    /** What is wrong with the files. */
    static final class NotSortedException extends Exception {

        private static final long serialVersionUID = 1L;

        NotSortedException(String message) {
            super(message);
        }
    }

    /** How many records, and the sum of their CRC-32C. */
    record Summary(long records, long checksum) {
        @Override
        public String toString() {
            return "records=" + records + " checksum=" + Long.toHexString(checksum);
        }
    }

    static Summary check(long records, List<Path> files) throws IOException, NotSortedException {
        Reading reading = new Reading();
        for (Path file : files) {
            reading.read(file);
        }
        Summary found = new Summary(reading.records, reading.checksum);
        Summary expected = generated(records);
        if (!found.equals(expected)) {
            throw new NotSortedException("the files have " + found + ", and the generator has " + expected);
        }
        return found;
    }

    static Summary generated(long records) {
        CRC32C crc = new CRC32C();
        byte[] record = new byte[SortRecord.BYTES];
        long checksum = 0;
        for (long number = 0; number < records; number++) {
            SortRecord.write(number, record, 0);
            crc.reset();
            crc.update(record, 0, record.length);
            checksum += crc.getValue();
        }
        return new Summary(records, checksum);
    }

    private static final class Reading {

        private final CRC32C crc = new CRC32C();
        private final byte[] block = new byte[RECORDS_AT_ONCE * SortRecord.LINE_BYTES];
        private final byte[] last = new byte[SortRecord.BYTES];
        private long records;
        private long checksum;

        void read(Path file) throws IOException, NotSortedException {
            long before = records;
            try (InputStream in = Files.newInputStream(file)) {
                for (int length = in.readNBytes(block, 0, block.length);
                        length > 0;
                        length = in.readNBytes(block, 0, block.length)) {
                    if (length % SortRecord.LINE_BYTES != 0) {
                        throw new NotSortedException(file + " ends within a record");
                    }
                    for (int at = 0; at < length; at += SortRecord.LINE_BYTES) {
                        check(at, file, records - before);
                    }
                }
            }
        }

        private void check(int at, Path file, long number) throws NotSortedException {
            int end = at + SortRecord.BYTES;
            if (block[end] != '\n') {
                throw new NotSortedException(
                        "record " + number + " of " + file + " does not have " + SortRecord.LINE_BYTES + " bytes");
            }
            int order = records == 0 ? -1 : Arrays.compareUnsigned(last, 0, last.length, block, at, end);
            if (order >= 0) {
                throw new NotSortedException("record " + number + " of " + file + " is "
                        + (order > 0 ? "below" : "the same as") + " the one before it");
            }
            System.arraycopy(block, at, last, 0, last.length);
            crc.reset();
            crc.update(block, at, SortRecord.BYTES);
            checksum += crc.getValue();
            records++;
        }
    }
}

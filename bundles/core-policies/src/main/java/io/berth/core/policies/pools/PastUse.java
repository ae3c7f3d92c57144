package io.berth.core.policies.pools;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What queues and submitters of a pool had used up to a moment, with decay, and what they used at that moment. Immutable.
 *
 * @param wallMillis the moment
 * @param dimensions names of the resources
 */
public record PastUse(
        long wallMillis, List<String> dimensions, SortedMap<String, Use> queues, SortedMap<String, Use> submitters) {

    /**
     * Of one queue or submitter, in the order of the dimensions.
     *
     * @param past amount times seconds
     * @param now amount
     */
    public record Use(double[] past, long[] now) {

        /** Who uses much now will have used much soon. */
        private double weightOf(int dimension) {
            return past[dimension] + now[dimension];
        }
    }

    private static final int FORMAT = 1;
    private static final int MAX_COUNT = 1 << 20;
    /** Of the name of a submitter, with its length. */
    private static final int MAX_NAME_BYTES = 66;

    public PastUse {
        dimensions = List.copyOf(dimensions);
        queues = Collections.unmodifiableSortedMap(new TreeMap<>(queues));
        submitters = Collections.unmodifiableSortedMap(new TreeMap<>(submitters));
    }

    /** The same with no more than so many submitters, those that used most. */
    public PastUse withSubmitters(int most) {
        if (submitters.size() <= most) {
            return this;
        }
        double[] sums = new double[dimensions.size()];
        for (Use use : submitters.values()) {
            for (int dimension = 0; dimension < sums.length; dimension++) {
                sums[dimension] += use.weightOf(dimension);
            }
        }
        Comparator<Map.Entry<String, Use>> largestFirst = Comparator.<Map.Entry<String, Use>>comparingDouble(
                        entry -> -share(entry.getValue(), sums))
                .thenComparing(Map.Entry::getKey);
        SortedMap<String, Use> largest = new TreeMap<>();
        submitters.entrySet().stream()
                .sorted(largestFirst)
                .limit(most)
                .forEach(entry -> largest.put(entry.getKey(), entry.getValue()));
        return new PastUse(wallMillis, dimensions, queues, largest);
    }

    private static double share(Use use, double[] sums) {
        double share = 0;
        for (int dimension = 0; dimension < sums.length; dimension++) {
            share = sums[dimension] > 0 ? Math.max(share, use.weightOf(dimension) / sums[dimension]) : share;
        }
        return share;
    }

    /**
     * As bytes.
     *
     * @param most how many there may be; submitters who used least are left out
     * @throws IOException when the queues alone need more
     */
    byte[] bytes(int most) throws IOException {
        byte[] bytes = bytes();
        if (bytes.length <= most) {
            return bytes;
        }
        int withoutSubmitters = withSubmitters(0).bytes().length;
        if (withoutSubmitters > most) {
            throw new IOException(queues.size() + " queues need " + withoutSubmitters + " bytes: at most " + most
                    + " are allowed in the metadata store");
        }
        int ofOne = MAX_NAME_BYTES + 2 * Long.BYTES * dimensions.size();
        return withSubmitters((most - withoutSubmitters) / ofOne).bytes();
    }

    private byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeLong(wallMillis);
            out.writeInt(dimensions.size());
            for (String dimension : dimensions) {
                out.writeUTF(dimension);
            }
            write(out, queues);
            write(out, submitters);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, SortedMap<String, Use> uses) throws IOException {
        out.writeInt(uses.size());
        for (Map.Entry<String, Use> use : uses.entrySet()) {
            out.writeUTF(use.getKey());
            for (double amount : use.getValue().past()) {
                out.writeDouble(amount);
            }
            for (long amount : use.getValue().now()) {
                out.writeLong(amount);
            }
        }
    }

    /** @throws IOException when the bytes are not a record of this format */
    static PastUse read(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int format = in.readByte();
            if (format != FORMAT) {
                throw new IOException("it has format " + format + "; this release reads format " + FORMAT);
            }
            long wallMillis = in.readLong();
            String[] dimensions = new String[count(in)];
            for (int dimension = 0; dimension < dimensions.length; dimension++) {
                dimensions[dimension] = in.readUTF();
            }
            SortedMap<String, Use> queues = read(in, dimensions.length);
            SortedMap<String, Use> submitters = read(in, dimensions.length);
            if (in.read() >= 0) {
                throw new IOException("it is longer than its content");
            }
            return new PastUse(wallMillis, Arrays.asList(dimensions), queues, submitters);
        }
    }

    private static SortedMap<String, Use> read(DataInputStream in, int dimensions) throws IOException {
        SortedMap<String, Use> uses = new TreeMap<>();
        int count = count(in);
        for (int entry = 0; entry < count; entry++) {
            String name = in.readUTF();
            Use use = new Use(new double[dimensions], new long[dimensions]);
            for (int dimension = 0; dimension < dimensions; dimension++) {
                use.past()[dimension] = in.readDouble();
            }
            for (int dimension = 0; dimension < dimensions; dimension++) {
                use.now()[dimension] = in.readLong();
            }
            uses.put(name, use);
        }
        return uses;
    }

    private static int count(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MAX_COUNT) {
            throw new IOException("it has " + count + " entries: 0 to " + MAX_COUNT + " are allowed");
        }
        return count;
    }
}

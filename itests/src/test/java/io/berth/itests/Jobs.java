package io.berth.itests;

import java.nio.file.Path;

/** Job descriptions as users write them. */
final class Jobs {

    private Jobs() {}

    /** Counts the words of {@code text} and writes them to {@code output}/counts.tsv. */
    static String wordCount(String name, String bundle, Path text, Path output, int minimum, int desired) {
        return """
        name: %1$s
        bundles: [%2$s]
        vertices:
          - name: read
            operator: file-source
            parallelism: {min: %5$d, desired: %6$d}
            configuration:
              path: '%3$s'
              split.bytes: 1048576
          - name: split
            operator: word-split
            parallelism: {min: %5$d, desired: %6$d}
          - name: count
            operator: word-count
            parallelism: {min: %5$d, desired: %6$d}
          - name: order
            operator: by-count
            parallelism: 1
          - name: write
            operator: file-sink
            parallelism: 1
            configuration:
              path: '%4$s'
              file: counts.tsv
        edges:
          - {from: read, to: split, partitioning: forward}
          - {from: split, to: count, partitioning: hash}
          - {from: count, to: order, partitioning: rebalance}
          - {from: order, to: write, partitioning: forward}
        """.formatted(name, bundle, text, output, minimum, desired);
    }

    /** Numbers from 0 to {@code records} - 1, at {@code rate} per second for each subtask; 0 means no limit. */
    static String sequence(String name, String bundle, long records, long rate, int minimum, int desired) {
        return numbers(name, bundle, records, rate, minimum, desired, """
          - name: tally
            operator: tally
            parallelism: {min: %d, desired: %d}
        """.formatted(minimum, desired), "tally");
    }

    /** The same, written to files of {@code output} with the parallelism of the source. */
    static String sequenceToFiles(
            String name, String bundle, long records, long rate, int minimum, int desired, Path output) {
        return numbers(name, bundle, records, rate, minimum, desired, """
          - name: write
            operator: file-sink
            parallelism: {min: %d, desired: %d}
            configuration:
              path: '%s'
        """.formatted(minimum, desired, output), "write");
    }

    /** A job with numbers that runs until the file is there. */
    static String until(Path file, String numbers) {
        String rate = "      rate.per.second:";
        return numbers.replace(rate, "      last.when.exists: '" + file + "'\n" + rate);
    }

    private static String numbers(
            String name, String bundle, long records, long rate, int minimum, int desired, String sink, String end) {
        return """
        name: %s
        bundles: [%s]
        vertices:
          - name: numbers
            operator: sequence
            parallelism: {min: %d, desired: %d}
            configuration:
              records: %d
              splits: 12
              rate.per.second: %d
        """.formatted(name, bundle, minimum, desired, records, rate) + sink + """
        edges:
          - {from: numbers, to: %s, partitioning: rebalance}
        """.formatted(end);
    }
}

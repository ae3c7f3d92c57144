package io.berth.itests;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts to count, and a reference count: by regular expression over the whole text. */
final class Texts {

    private static final Pattern WORD = Pattern.compile("[A-Za-z]+");

    private static final String STRANGE = "It's 2 o'clock: re-read the naïve Übung, ἀρετή and 中文 text.\r\n"
            + "\n   \t\n"
            + "x\ty\tX\r\nWORD1word2WORD 3word Word_word;a" + "b".repeat(5_000) + "c\n"
            + "last line of the block, without full stop\n";

    private Texts() {}

    /** Lines with everything that a tokenizer could get wrong; the last line has no line end. */
    static Path strange(Path file, int blocks) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            for (int block = 0; block < blocks; block++) {
                out.write((block + "th " + STRANGE).getBytes(StandardCharsets.UTF_8));
                out.write(("w" + letters(block) + " ").repeat(1 + block % 7).getBytes(StandardCharsets.US_ASCII));
            }
            out.write("the end".getBytes(StandardCharsets.US_ASCII));
        }
        return file;
    }

    /** The source text many times. */
    static Path repeated(Path source, Path file, int times) throws IOException {
        byte[] content = Files.readAllBytes(source);
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int i = 0; i < times; i++) {
                out.write(content);
                out.write('\n');
            }
        }
        return file;
    }

    private static String letters(int number) {
        StringBuilder word = new StringBuilder();
        for (int rest = number; rest > 0; rest /= 26) {
            word.append((char) ('a' + rest % 26));
        }
        return word.toString();
    }

    static Map<String, Long> words(Path text) throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        Matcher matcher = WORD.matcher(Files.readString(text, StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            counts.merge(matcher.group().toLowerCase(java.util.Locale.ROOT), 1L, Long::sum);
        }
        return counts;
    }

    static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The lines of counts.tsv: word, tab, count, most frequent first, then by word. */
    static List<String> lines(Map<String, Long> counts, long times) {
        List<Map.Entry<String, Long>> entries = new ArrayList<>(counts.entrySet());
        entries.sort(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()));
        return entries.stream()
                .map(entry -> entry.getKey() + "\t" + entry.getValue() * times)
                .toList();
    }
}

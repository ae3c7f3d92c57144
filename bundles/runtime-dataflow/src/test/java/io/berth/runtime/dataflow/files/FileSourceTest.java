package io.berth.runtime.dataflow.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.ConfigurationException;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.Text;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSourceTest {

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("", "a", "bc", "\n", "\r\n", "\r", "é", "longer words here")
                .list()
                .ofMaxSize(60)
                .map(parts -> String.join("", parts));
    }

    /** The lines of {@code text}, found by another algorithm. */
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        if (lines.get(lines.size() - 1).isEmpty()) {
            lines.remove(lines.size() - 1);
        }
        boolean ended = text.endsWith("\n");
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.endsWith("\r") && (ended || i < lines.size() - 1)) {
                lines.set(i, line.substring(0, line.length() - 1));
            }
        }
        return lines;
    }

    private static FileSource source(String path, long splitBytes) {
        return new FileSourceFactory()
                .create(new Configuration("file-source", Map.of("path", path, "split.bytes", "" + splitBytes)));
    }

    private static List<String> readAll(FileSource source) throws Exception {
        List<String> lines = new ArrayList<>();
        for (byte[] split : source.enumerateSplits()) {
            try (SplitReader<Text> reader = source.read(split)) {
                boolean more = true;
                while (more) {
                    more = reader.step(line -> lines.add(line.toString()));
                }
            }
        }
        return lines;
    }

    @Property(tries = 500)
    void splitsOfAnySizeGiveEveryLineExactlyOnceAndInOrder(
            @ForAll("texts") String text, @ForAll @IntRange(min = 1, max = 80) int splitBytes) throws Exception {
        Path file = Files.createTempFile("berth", ".txt");
        try {
            Files.writeString(file, text);
            assertThat(readAll(source(file.toString(), splitBytes))).isEqualTo(lines(text));
        } finally {
            Files.delete(file);
        }
    }

    @Property(tries = 200)
    void splitsCoverEveryByteExactlyOnce(
            @ForAll @IntRange(min = 0, max = 500) int length, @ForAll @IntRange(min = 1, max = 600) int splitBytes)
            throws Exception {
        Path file = Files.createTempFile("berth", ".txt");
        try {
            Files.write(file, new byte[length]);
            long next = 0;
            for (byte[] bytes : source(file.toString(), splitBytes).enumerateSplits()) {
                FileSplit split = FileSplit.of(bytes);
                assertThat(split.start()).isEqualTo(next);
                next = split.end();
            }
            assertThat(next).isEqualTo(length);
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void aLargeFileGivesNoMoreSplitsThanOneMessageHolds(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("large.txt");
        try (java.io.RandomAccessFile sparse = new java.io.RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }
        FileSource source = new FileSource(
                FilePattern.parse(new Configuration("file-source", Map.of("path", file.toString())), "path"),
                4096,
                1024);
        assertThat(source.enumerateSplits()).hasSizeBetween(5_000, FileSplits.MAX_SPLITS);
    }

    @Test
    void estimatesHowManyLinesAreLeftFromThoseThatWereRead(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("lines.txt"), "123456789\n".repeat(40_000));
        FileSplit whole = new FileSplit(file.toString(), 0, 400_000);
        LineLengths lengths = new LineLengths();
        List<Integer> read = new ArrayList<>();
        try (LineReader reader = new LineReader(whole, 1_000, lengths, Optional.empty())) {
            assertThat(reader.recordsLeft()).as("no line was read").isEmpty();
            boolean more = true;
            while (more) {
                more = reader.step(line -> read.add(line.length()));
                assertThat(reader.recordsLeft()).hasValue(40_000 - read.size());
            }
        }
        assertThat(read).hasSize(40_000);
        try (LineReader next =
                new LineReader(new FileSplit(file.toString(), 100_000, 400_000), 1_000, lengths, Optional.empty())) {
            assertThat(next.recordsLeft())
                    .as("at once, from the lines of the split before")
                    .hasValue(30_000);
        }
    }

    @Test
    void readsLinesLongerThanTheBuffer(@TempDir Path directory) throws Exception {
        String line = "x".repeat(1_000_000);
        Path file = Files.writeString(directory.resolve("long.txt"), line + "\n" + line + "y\nz");
        for (long splitBytes : new long[] {1000, 1_000_001, 1_000_002, 4_000_000}) {
            assertThat(readAll(source(file.toString(), splitBytes))).isEqualTo(List.of(line, line + "y", "z"));
        }
    }

    @Test
    void rejectsALineOverTheLimitWithFileAndPosition(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("long.txt"), "ok\n" + "x".repeat(300_000));
        FileSource source = new FileSourceFactory()
                .create(new Configuration("file-source", Map.of("path", file.toString(), "line.bytes", "1000")));
        assertThatThrownBy(() -> readAll(source))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("long.txt, line 2: the line is longer than 1000 bytes");
    }

    @Test
    void theLimitOfALineIsExactAlsoBelowTheSizeOfTheBuffer(@TempDir Path directory) throws Exception {
        String line = "x".repeat(100);
        Path file = Files.writeString(directory.resolve("lines.txt"), line + "\r\n" + line);
        Map<String, String> settings = Map.of("path", file.toString(), "line.bytes", "100");
        assertThat(readAll(new FileSourceFactory().create(new Configuration("file-source", settings))))
                .containsExactly(line, line);
        Files.writeString(file, line + "y\n");
        assertThatThrownBy(() -> readAll(new FileSourceFactory().create(new Configuration("file-source", settings))))
                .hasMessageContaining("lines.txt, line 1: the line is longer than 100 bytes");
    }

    @Test
    void pathsDirectoriesAndPatternsNameFilesInOrder(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("b.txt"), "b");
        Files.writeString(directory.resolve("a.txt"), "a");
        Files.writeString(directory.resolve("c.log"), "c");
        Files.writeString(directory.resolve(".hidden"), "h");
        assertThat(readAll(source(directory.toString(), 100))).containsExactly("a", "b", "c");
        assertThat(readAll(source(directory + "/*.txt", 100))).containsExactly("a", "b");
        assertThat(readAll(source(directory + "/c.log:" + directory + "/?.txt", 100)))
                .containsExactly("c", "a", "b");
    }

    @Test
    void usesExistingPathsLiterally(@TempDir Path directory) throws Exception {
        Path odd = Files.createDirectory(directory.resolve("a:b")).resolve("[1]*{2}:?.txt");
        Files.writeString(odd, "odd\n");
        Files.writeString(odd.resolveSibling("1.txt"), "other\n");

        assertThat(readAll(source(odd.toString(), 100))).containsExactly("odd");
        assertThat(readAll(source(odd + "\n" + odd.resolveSibling("1.txt"), 100)))
                .containsExactly("odd", "other");
        assertThat(readAll(source(odd.getParent().toString(), 100))).containsExactly("other", "odd");

        Files.writeString(directory.resolve("[x].txt"), "brackets\n");
        assertThat(readAll(source(directory + "/[x]*", 100))).containsExactly("brackets");
    }

    @Test
    void namesAWrongPath(@TempDir Path directory) {
        assertThatThrownBy(() -> source(directory + "/none", 1).enumerateSplits())
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("/none");
        assertThatThrownBy(() -> source(directory + "/*.none", 1).enumerateSplits())
                .hasMessageContaining("no file matches");
        assertThatThrownBy(() -> source(" ", 1)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> source("x", 0)).hasMessageContaining("split.bytes is '0'");
    }

    @Test
    void bytesThatAreNotTextPassUnchanged(@TempDir Path directory) throws Exception {
        byte[] bytes = {(byte) 0xff, 0, (byte) 0x80, '\n', (byte) 0xc3};
        Path file = Files.write(directory.resolve("bytes"), bytes);
        FileSource source = source(file.toString(), 100);
        List<byte[]> lines = new ArrayList<>();
        try (SplitReader<Text> reader = source.read(source.enumerateSplits().get(0))) {
            while (reader.step(line -> lines.add(Arrays.copyOf(line.copy().bytes(), line.length())))) {
                assertThat(lines).hasSizeLessThan(3);
            }
        }
        assertThat(lines).containsExactly(new byte[] {(byte) 0xff, 0, (byte) 0x80}, new byte[] {(byte) 0xc3});
        assertThat(new String(lines.get(0), StandardCharsets.ISO_8859_1)).hasSize(3);
    }
}

package io.berth.itests;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;

/** The table of docs/conformance.md names, for each number, exactly the tests with that number. */
public class ConformanceTableTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("void ((?:c\\d+_)+)\\w*\\(");
    private static final Pattern NUMBER = Pattern.compile("c(\\d+)_");
    private static final Pattern ROW = Pattern.compile("\\| +(\\d+) +\\| [^|]+ \\| ([^|]+) \\|");
    private static final Pattern CLASS = Pattern.compile("`(\\w+)`");

    @Test
    public void namesExistingTests() throws IOException {
        assertEquals(tests(), table());
    }

    private static Map<Integer, TreeSet<String>> tests() throws IOException {
        Map<Integer, TreeSet<String>> tests = new TreeMap<>();
        List<Path> sources;
        try (Stream<Path> tree = Files.walk(ROOT.resolve("bundles"))) {
            sources = tree.filter(file -> file.toString().endsWith("Test.java")).toList();
        }
        for (Path source : sources) {
            Matcher test = TEST.matcher(Files.readString(source));
            while (test.find()) {
                Matcher number = NUMBER.matcher(test.group(1));
                while (number.find()) {
                    tests.computeIfAbsent(Integer.parseInt(number.group(1)), none -> new TreeSet<>())
                            .add(source.getFileName().toString().replace(".java", ""));
                }
            }
        }
        return tests;
    }

    private static Map<Integer, TreeSet<String>> table() throws IOException {
        Map<Integer, TreeSet<String>> table = new TreeMap<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs").resolve("conformance.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                Matcher name = CLASS.matcher(row.group(2));
                while (name.find()) {
                    table.computeIfAbsent(Integer.parseInt(row.group(1)), none -> new TreeSet<>())
                            .add(name.group(1));
                }
            }
        }
        return table;
    }
}

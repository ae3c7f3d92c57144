package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;

/**
 * The tables of docs/operations.md explain each line that the product logs at WARN or ERROR, and no other line. A line
 * is identified by its bundle, its level and the constant text of its message.
 */
public class LogTableTest {

    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs").resolve("operations.md");
    /** Tools and examples that no feature installs in a cluster. */
    private static final List<String> NOT_OPERATED = List.of(
            "simulator",
            "benchmark",
            "scorecard",
            "test-cluster",
            "example-sequence",
            "example-sort",
            "example-wordcount");

    private static final Pattern CALL = Pattern.compile("\\bLOG\\s*\\.(warn|error)\\(");
    private static final Pattern OTHER_CALL = Pattern.compile("\\.at(?:Warn|Error)\\(\\)|System\\.Logger");
    private static final Pattern TEXT = Pattern.compile("\\G\\s*\\+?\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern BUNDLE = Pattern.compile("### ([a-z-]+)");
    private static final Pattern ROW =
            Pattern.compile("\\| `([^`]+)` +\\| +(WARN|ERROR) +\\| +(\\S.*?) +\\| +(\\S.*?) +\\|");

    @Test
    public void eachWarningAndErrorIsExplained() throws IOException {
        SortedSet<String> missing = new TreeSet<>(logged());
        missing.removeAll(explained());
        assertTrue("not in " + PAGE + ": " + String.join("\n", missing), missing.isEmpty());
    }

    @Test
    public void nothingElseIsExplained() throws IOException {
        SortedSet<String> stale = new TreeSet<>(explained());
        stale.removeAll(logged());
        assertTrue("in " + PAGE + ", but not logged: " + String.join("\n", stale), stale.isEmpty());
    }

    @Test
    public void everyLineIsLoggedInAWayThatIsCompared() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources()) {
            if (OTHER_CALL.matcher(Files.readString(source)).find()) {
                found.add(source.toString());
            }
        }
        assertEquals(List.of(), found);
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        Path bundles = ROOT.resolve("bundles");
        try (Stream<Path> tree = Files.walk(bundles)) {
            tree.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> {
                        Path inBundles = bundles.relativize(file);
                        String bundle = inBundles.getName(0).toString();
                        return !NOT_OPERATED.contains(bundle)
                                && inBundles.startsWith(Path.of(bundle, "src", "main", "java"));
                    })
                    .sorted()
                    .forEach(sources::add);
        }
        assertTrue("sources read: " + sources.size(), sources.size() > 100);
        return sources;
    }

    private static SortedSet<String> logged() throws IOException {
        SortedSet<String> lines = new TreeSet<>();
        Path bundles = ROOT.resolve("bundles");
        for (Path source : sources()) {
            String content = Files.readString(source);
            Matcher call = CALL.matcher(content);
            while (call.find()) {
                StringBuilder message = new StringBuilder();
                Matcher text = TEXT.matcher(content);
                int next = call.end();
                while (text.find(next)) {
                    message.append(text.group(1));
                    next = text.end();
                }
                assertTrue(
                        source + ": a line begins without a constant text: "
                                + content.substring(call.start(), Math.min(content.length(), call.end() + 60)),
                        message.length() > 0);
                lines.add(line(
                        bundles.relativize(source).getName(0).toString(),
                        call.group(1).equals("warn") ? "WARN" : "ERROR",
                        message.toString()));
            }
        }
        return lines;
    }

    private static SortedSet<String> explained() throws IOException {
        SortedSet<String> lines = new TreeSet<>();
        String bundle = "";
        boolean inTables = false;
        for (String line : Files.readAllLines(PAGE)) {
            Matcher heading = BUNDLE.matcher(line);
            if (line.startsWith("## ")) {
                inTables = line.equals("## Warnings and errors");
            } else if (inTables && heading.matches()) {
                bundle = heading.group(1);
            } else if (inTables && line.startsWith("| `")) {
                Matcher row = ROW.matcher(line);
                assertTrue("no row with level, meaning and remedy: " + line, row.matches());
                assertTrue("twice: " + line, lines.add(line(bundle, row.group(2), row.group(1))));
            }
        }
        return lines;
    }

    private static String line(String bundle, String level, String message) {
        return bundle + ": " + level + " " + message;
    }
}

package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;

/** Each row of docs/behavior.md names existing tests in the bundle that it mentions, or a reason. */
public class BehaviorTableTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern ROW = Pattern.compile("\\| +([12]\\.\\d+) +\\| +([^|]+?) +\\| +([^|]+?) +\\|");
    /** A bundle, or a test as CLASS#METHOD. */
    private static final Pattern NAMED = Pattern.compile("(?:^|; )([a-z-]+): |`(\\w+#\\w+)`");

    private static final Pattern METHOD = Pattern.compile("(?m)^ +(?:public )?void (\\w+)\\(");

    private static final class Row {

        private final String section;
        private final String behavior;
        private final String shownBy;

        Row(Matcher row) {
            section = row.group(1);
            behavior = row.group(2);
            shownBy = row.group(3);
        }

        boolean isReason() {
            return shownBy.startsWith("not followed: ");
        }
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs").resolve("behavior.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(new Row(row));
            } else {
                assertTrue("no row: " + line, !line.startsWith("| 1") && !line.startsWith("| 2"));
            }
        }
        return rows;
    }

    /** Names of test methods, as BUNDLE: CLASS#METHOD. */
    private static Set<String> tests() throws IOException {
        Set<String> tests = new TreeSet<>();
        Path bundles = ROOT.resolve("bundles");
        List<Path> sources;
        try (Stream<Path> tree = Files.walk(bundles)) {
            sources = tree.filter(file -> file.toString().endsWith(".java")).toList();
        }
        for (Path source : sources) {
            Path inBundles = bundles.relativize(source);
            if (inBundles.startsWith(inBundles.getName(0).resolve("src").resolve("test"))) {
                Matcher method = METHOD.matcher(Files.readString(source));
                while (method.find()) {
                    tests.add(inBundles.getName(0) + ": "
                            + source.getFileName().toString().replace(".java", "") + "#" + method.group(1));
                }
            }
        }
        return tests;
    }

    /** Tests that a row names, as BUNDLE: CLASS#METHOD; tests of a reason without the bundle. */
    private static List<String> named(Row row) {
        List<String> named = new ArrayList<>();
        String bundle = "";
        Matcher name = NAMED.matcher(row.shownBy);
        while (name.find()) {
            if (name.group(1) != null) {
                bundle = name.group(1) + ": ";
            } else {
                named.add((row.isReason() ? "" : bundle) + name.group(2));
            }
        }
        return named;
    }

    @Test
    public void eachRowIsShownByTestsOrHasAReason() throws IOException {
        Set<String> tests = tests();
        Set<String> inAnyBundle = new TreeSet<>();
        tests.forEach(test -> inAnyBundle.add(test.substring(test.indexOf(": ") + 2)));
        List<String> wrong = new ArrayList<>();
        for (Row row : rows()) {
            List<String> named = named(row);
            if (!row.isReason() && named.isEmpty()) {
                wrong.add("nothing shows: " + row.behavior);
            }
            named.stream()
                    .filter(test -> !(row.isReason() ? inAnyBundle : tests).contains(test))
                    .forEach(wrong::add);
        }
        assertEquals("rows without a test, and tests that do not exist", List.of(), wrong);
    }

    @Test
    public void hasEverySectionInItsOrder() throws IOException {
        List<String> sections =
                rows().stream().map(row -> row.section).distinct().toList();
        assertEquals(
                List.of(
                        "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.10", "2.1", "2.2", "2.3",
                        "2.4"),
                sections);
    }
}

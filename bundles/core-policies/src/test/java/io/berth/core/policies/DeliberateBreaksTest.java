package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Shows that each check can fail. Each file in src/test/breaks contains a change that breaks the host, and names a
 * test. That test must fail with the change and pass without it. The text that a change replaces must occur exactly
 * once in the source; otherwise the file must be updated. If the test runs random sequences, a file may name the first
 * sequence to run, so that the test fails soon.
 */
class DeliberateBreaksTest {

    private static final Path BREAKS = Path.of("src/test/breaks");
    /** Of the host, and of the rules that it embeds. */
    private static final List<Path> SOURCES = List.of(
            Path.of("src/main/java/io/berth/core/policies"), Path.of("../policy-rules/src/main/java/io/berth/policy"));

    private static final String PACKAGE = "io.berth.core.policies.";
    private static final String RULES = "io.berth.policy.rules.";
    private static final String SEQUENCES = "berth.sequences";
    private static final String FROM = SEQUENCES + ".from";
    /** The first sequences wait until class loaders are collected, which almost no break needs. */
    private static final int FIRST = 2;

    private static final int MAX_COUNT = 300;
    /** The test itself runs many more in the same build. */
    private static final int MAX_UNBROKEN = 30;

    private static final Pattern PAIR = Pattern.compile("<<<<\n(.*?)\n====\n(.*?)\n?>>>>\n", Pattern.DOTALL);

    @TempDir
    private Path broken;

    /**
     * @param test class and method
     * @param from first sequence, if the test runs sequences
     */
    private record Break(String name, String file, String test, int from, String source) {

        static Break read(Path path) {
            try {
                String text = Files.readString(path);
                String file = line(text, "file: ").orElseThrow();
                String source = Files.readString(source(file));
                Matcher pairs = PAIR.matcher(text);
                int replaced = 0;
                for (; pairs.find(); replaced++) {
                    int at = source.indexOf(pairs.group(1));
                    assertThat(at)
                            .as("%s: its text is in %s", path.getFileName(), file)
                            .isNotNegative();
                    assertThat(source.lastIndexOf(pairs.group(1)))
                            .as("%s: its text occurs once", path.getFileName())
                            .isEqualTo(at);
                    source = source.substring(0, at)
                            + pairs.group(2)
                            + source.substring(at + pairs.group(1).length());
                }
                assertThat(replaced)
                        .as("%s: replaces something", path.getFileName())
                        .isPositive();
                String name = path.getFileName().toString().replace(".txt", "");
                return new Break(
                        name,
                        file,
                        line(text, "caught by: ").orElseThrow(),
                        line(text, "from sequence: ").map(Integer::valueOf).orElse(FIRST),
                        source);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        private static Path source(String file) {
            return SOURCES.stream()
                    .map(root -> root.resolve(file))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow();
        }

        private static Optional<String> line(String text, String start) {
            return text.lines()
                    .filter(line -> line.startsWith(start))
                    .map(line -> line.substring(start.length()).trim())
                    .findFirst();
        }
    }

    private final Map<String, Optional<String>> before = new HashMap<>();

    @BeforeEach
    void runFewSequences() {
        set(SEQUENCES, MAX_COUNT);
        set(FROM, FIRST);
        set(SEQUENCES + ".shorten", 0);
        set(SEQUENCES + ".patience", 0);
    }

    private void set(String property, int value) {
        Optional<String> old = Optional.ofNullable(System.getProperty(property));
        before.putIfAbsent(property, old);
        System.setProperty(property, String.valueOf(value));
    }

    @AfterEach
    void restoreProperties() {
        before.forEach((property, value) ->
                value.ifPresentOrElse(old -> System.setProperty(property, old), () -> System.clearProperty(property)));
    }

    private static List<Break> breaks() throws IOException {
        try (Stream<Path> files = Files.list(BREAKS)) {
            return files.sorted().map(Break::read).toList();
        }
    }

    @TestFactory
    Stream<DynamicTest> eachBreakIsCaughtByTheTestThatItNames() throws IOException {
        return breaks().stream()
                .map(one -> DynamicTest.dynamicTest(one.name() + " is caught by " + one.test(), () -> {
                    Path classes = Files.createDirectories(broken.resolve(one.name()));
                    compile(one, classes);
                    set(FROM, one.from());
                    assertThat(run(one.test(), List.of(classes)).getTestsFailedCount())
                            .as("%s fails when %s is broken by %s", one.test(), one.file(), one.name())
                            .isPositive();
                }));
    }

    @TestFactory
    Stream<DynamicTest> eachNamedTestPassesWithoutABreak() throws IOException {
        set(SEQUENCES, MAX_UNBROKEN);
        set(SEQUENCES + ".patience", 20);
        return breaks().stream()
                .map(Break::test)
                .distinct()
                .map(test -> DynamicTest.dynamicTest(test, () -> {
                    TestExecutionSummary summary = run(test, List.of());
                    assertThat(summary.getFailures())
                            .extracting(failure -> failure.getException().getMessage())
                            .isEmpty();
                    assertThat(summary.getTestsSucceededCount()).isPositive();
                }));
    }

    @Test
    void thereAreAtLeastTwelveBreaks() throws IOException {
        assertThat(breaks()).hasSizeGreaterThanOrEqualTo(12);
    }

    private static void compile(Break one, Path classes) throws IOException {
        Path source = classes.resolve(one.file());
        Files.createDirectories(source.getParent());
        Files.writeString(source, one.source());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            messages,
                            files,
                            null,
                            List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-classpath", classPath()),
                            null,
                            files.getJavaFileObjects(source))
                    .call();
            assertThat(compiled).as("%s compiles: %s", one.name(), messages).isTrue();
        }
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private static TestExecutionSummary run(String test, List<Path> first) throws Exception {
        String[] named = test.split("#");
        List<URL> urls = new ArrayList<>();
        for (Path path : first) {
            urls.add(path.toUri().toURL());
        }
        urls.add(PolicyPlatform.class.getProtectionDomain().getCodeSource().getLocation());
        urls.add(
                DeliberateBreaksTest.class.getProtectionDomain().getCodeSource().getLocation());
        try (Apart apart = new Apart(urls)) {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selectMethod(apart.loadClass(PACKAGE + named[0]), named[1]))
                    .build();
            SummaryGeneratingListener summary = new SummaryGeneratingListener();
            LauncherFactory.create().execute(request, summary);
            return summary.getSummary();
        }
    }

    /** Loads the classes of the host itself: first the broken ones, then the others. */
    private static final class Apart extends URLClassLoader {

        private Apart(List<URL> urls) throws MalformedURLException {
            super(urls.toArray(URL[]::new), DeliberateBreaksTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PACKAGE) && !name.startsWith(RULES)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }
}

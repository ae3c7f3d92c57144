package io.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The simulator can fail: each file of src/test/breaks says how a rule of the protocol is broken in the source of a core
 * class, and some seed must find it. A break whose text is not found exactly once is to be written anew.
 *
 * <p>Format: {@code file: BUNDLE PATH}, optionally {@code from: SEED}, then what is replaced between {@code <<<<}, {@code
 * ====} and {@code >>>>}.
 */
class PlantedBugsTest {

    private static final Path BREAKS = Path.of("src/test/breaks");
    private static final Pattern PAIR = Pattern.compile("<<<<\n(.*?)\n====\n(.*?)\n?>>>>\n", Pattern.DOTALL);
    /** A build has time for no more; most are found by the first few. */
    private static final int MOST_SEEDS = Integer.getInteger("berth.breaks.seeds", 30);
    private static final int SECONDS = 1_200;

    @TempDir
    private Path directory;

    private record Break(String name, String type, String source, long from) {

        static Break read(Path path) {
            try {
                String text = Files.readString(path);
                String[] where = line(text, "file: ", "").split(" ");
                Path file = Path.of("..", where[0], "src/main/java").resolve(where[1]);
                String source = Files.readString(file);
                Matcher pairs = PAIR.matcher(text);
                int replaced = 0;
                for (; pairs.find(); replaced++) {
                    int at = source.indexOf(pairs.group(1));
                    assertThat(at).as("%s: its text is in %s", path.getFileName(), file).isNotNegative();
                    assertThat(source.lastIndexOf(pairs.group(1)))
                            .as("%s: its text is there once", path.getFileName())
                            .isEqualTo(at);
                    source = source.substring(0, at) + pairs.group(2)
                            + source.substring(at + pairs.group(1).length());
                }
                assertThat(replaced).as("%s: replaces something", path.getFileName()).isPositive();
                String type = where[1].substring(0, where[1].length() - ".java".length());
                String name = path.getFileName().toString();
                return new Break(name, type, source, Long.parseLong(line(text, "from: ", "1")));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        private static String line(String text, String key, String otherwise) {
            return text.lines()
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.substring(key.length()).trim())
                    .findFirst()
                    .orElse(otherwise);
        }
    }

    @TestFactory
    Stream<DynamicTest> eachPlantedBugIsFound() throws IOException {
        List<Break> breaks = new ArrayList<>();
        try (Stream<Path> files = Files.list(BREAKS)) {
            files.filter(path -> path.toString().endsWith(".break")).sorted().forEach(path -> breaks.add(Break.read(path)));
        }
        return breaks.stream().map(bug -> DynamicTest.dynamicTest(bug.name(), () -> finds(bug)));
    }

    private void finds(Break bug) throws Exception {
        Path classes = Files.createDirectory(directory.resolve(bug.name()));
        compile(bug, classes);
        Object search = new BrokenClasses(classes, getClass().getClassLoader())
                .loadClass(SeedSearch.class.getName())
                .getDeclaredConstructor()
                .newInstance();
        @SuppressWarnings("unchecked")
        Function<long[], String> seeds = (Function<long[], String>) search;

        String found = seeds.apply(new long[] {bug.from(), MOST_SEEDS, SECONDS});

        System.out.println(bug.name() + ": " + (found.isEmpty() ? "not found" : found));
        assertThat(found).as("%s is found by one of %d seeds", bug.name(), MOST_SEEDS).isNotEmpty();
    }

    private static void compile(Break bug, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///" + bug.type() + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return bug.source();
                    }
                };
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            boolean done = compiler.getTask(
                            said, files, null,
                            List.of("-d", classes.toString(), "-cp", classPath, "-proc:none"), null, List.of(source))
                    .call();
            assertThat(done).as("%s compiles: %s", bug.name(), said).isTrue();
        }
    }

    /** All classes of Berth once more, the broken ones in place of their originals. */
    private static final class BrokenClasses extends ClassLoader {

        private final Path broken;

        BrokenClasses(Path broken, ClassLoader parent) {
            super(parent);
            this.broken = broken;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.berth.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> there = findLoadedClass(name);
                return there != null ? there : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            String file = name.replace('.', File.separatorChar) + ".class";
            try {
                byte[] bytes;
                if (Files.exists(broken.resolve(file))) {
                    bytes = Files.readAllBytes(broken.resolve(file));
                } else {
                    try (InputStream original = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                        if (original == null) {
                            throw new ClassNotFoundException(name);
                        }
                        bytes = original.readAllBytes();
                    }
                }
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }
    }
}

package io.berth.simulator.seed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A broken rule of the protocol, planted in the source of a core class.
 *
 * <p>Format of its file: {@code file: BUNDLE PATH}, optionally {@code from: SEED}, {@code step: N} and {@code by: CLASS}, then the
 * original and the replacement between {@code <<<<}, {@code ====} and {@code >>>>}.
 *
 * @param type path of the broken class
 * @param from the first seed of the search
 * @param step from one seed to the next
 * @param by the class that searches it: a function that uses types of the JDK
 */
record PlantedBug(String name, String type, String source, long from, long step, String by) {

    private static final Pattern PAIR = Pattern.compile("<<<<\n(.*?)\n====\n(.*?)\n?>>>>\n", Pattern.DOTALL);

    static PlantedBug read(Path path) {
        try {
            String text = Files.readString(path);
            String[] where = line(text, "file: ", "").split(" ");
            Path file = Path.of("..", where[0], "src/main/java").resolve(where[1]);
            String source = Files.readString(file);
            Matcher pairs = PAIR.matcher(text);
            int replaced = 0;
            for (; pairs.find(); replaced++) {
                int at = source.indexOf(pairs.group(1));
                assertThat(at)
                        .as("%s: its text is in %s", path.getFileName(), file)
                        .isNotNegative();
                assertThat(source.lastIndexOf(pairs.group(1)))
                        .as("%s: its text exists once", path.getFileName())
                        .isEqualTo(at);
                source = source.substring(0, at)
                        + pairs.group(2)
                        + source.substring(at + pairs.group(1).length());
            }
            assertThat(replaced)
                    .as("%s: replaces something", path.getFileName())
                    .isPositive();
            String type = where[1].substring(0, where[1].length() - ".java".length());
            String name = path.getFileName().toString();
            return new PlantedBug(
                    name,
                    type,
                    source,
                    Long.parseLong(line(text, "from: ", "1")),
                    Long.parseLong(line(text, "step: ", "1")),
                    line(text, "by: ", SeedSearch.class.getName()));
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

    /**
     * An object that checks the broken classes through types of the JDK.
     *
     * @param directory for the broken class
     */
    @SuppressWarnings("unchecked")
    Function<long[], String> seenBy(String who, Path directory) throws Exception {
        Path classes = Files.createDirectory(directory.resolve(name));
        compile(classes);
        return (Function<long[], String>) new BrokenClasses(classes, PlantedBug.class.getClassLoader())
                .loadClass(who)
                .getDeclaredConstructor()
                .newInstance();
    }

    private void compile(Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject changed =
                new SimpleJavaFileObject(URI.create("string:///" + type + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            boolean done = compiler.getTask(
                            said,
                            files,
                            null,
                            List.of("-d", classes.toString(), "-cp", classPath, "-proc:none"),
                            null,
                            List.of(changed))
                    .call();
            assertThat(done).as("%s compiles: %s", name, said).isTrue();
        }
    }

    /** All classes of Berth again, with the broken ones in place of their originals. */
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

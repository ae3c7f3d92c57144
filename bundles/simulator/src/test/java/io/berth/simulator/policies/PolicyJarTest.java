package io.berth.simulator.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.matching.MatchingStrategyFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A bundle loads its classes, and what it imports, as in a framework. The bundles are built here. */
class PolicyJarTest {

    private static final String IMPORTS = "io.berth.spi;version=\"[2.0,3)\",io.berth.spi.matching;version=\"[2.0,3)\"";
    private static final String POLICY = "com/example/policy/Named.class";
    private static final String LIBRARY = "com/example/names/Names.class";
    private static final String COMPONENT = """
            <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.3.0" name="com.example.policy.Named">
              <service><provide interface="io.berth.spi.matching.MatchingStrategyFactory"/></service>
              <implementation class="com.example.policy.Named"/>
            </scr:component>
            """;

    @TempDir
    private Path folder;

    private final SortedMap<String, byte[]> classes = new TreeMap<>();

    /** A strategy that logs, and has its name from a library. */
    @BeforeEach
    void compile() throws IOException {
        compile("com.example.names.Names", """
                package com.example.names;
                public final class Names {
                    public static String name() {
                        return "from-a-library";
                    }
                }
                """);
        compile("com.example.policy.Named", """
                package com.example.policy;
                import com.example.names.Names;
                import io.berth.spi.*;
                import io.berth.spi.matching.*;
                import org.slf4j.Logger;
                import org.slf4j.LoggerFactory;
                public final class Named implements MatchingStrategyFactory {
                    private static final Logger LOG = LoggerFactory.getLogger(Named.class);
                    public PolicyDescription describe() {
                        LOG.debug("describes itself");
                        return new PolicyDescription(Names.name(), "For a test");
                    }
                    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
                        throw new IllegalStateException("nobody creates it");
                    }
                }
                """);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                classes.put(folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
        assertThat(classes).containsOnlyKeys(POLICY, LIBRARY);
    }

    private void compile(String name, String source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject file =
                new SimpleJavaFileObject(
                        URI.create("string:///" + name.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        String classPath = folder
                + System.getProperty("path.separator")
                + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean done = compiler.getTask(
                            said,
                            files,
                            null,
                            List.of("-d", folder.toString(), "-cp", classPath, "-proc:none"),
                            null,
                            List.of(file))
                    .call();
            assertThat(done).as("%s compiles: %s", name, said).isTrue();
        }
    }

    private static void write(OutputStream out, Manifest manifest, Map<String, byte[]> entries) throws IOException {
        try (JarOutputStream to = new JarOutputStream(out, manifest)) {
            for (Map.Entry<String, byte[]> entry : new TreeMap<>(entries).entrySet()) {
                to.putNextEntry(new JarEntry(entry.getKey()));
                to.write(entry.getValue());
            }
        }
    }

    private byte[] of(String... entries) throws IOException {
        SortedMap<String, byte[]> content = new TreeMap<>();
        for (String entry : entries) {
            content.put(entry, classes.get(entry));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        write(bytes, new Manifest(), content);
        return bytes.toByteArray();
    }

    /** @param classPath empty: no header */
    private Path bundle(String imports, String classPath, Map<String, byte[]> entries) throws IOException {
        Manifest manifest = new Manifest();
        Attributes headers = manifest.getMainAttributes();
        headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.putValue("Bundle-SymbolicName", "com.example.policy");
        headers.putValue("Import-Package", imports);
        headers.putValue("Provide-Capability", "io.berth.policy;kind=matching;name=named");
        headers.putValue("Service-Component", "OSGI-INF/named.xml");
        if (!classPath.isEmpty()) {
            headers.putValue("Bundle-ClassPath", classPath);
        }
        SortedMap<String, byte[]> all = new TreeMap<>(entries);
        all.put("OSGI-INF/named.xml", COMPONENT.getBytes(StandardCharsets.UTF_8));
        Path jar = folder.resolve("bundle with a name.jar");
        write(Files.newOutputStream(jar), manifest, all);
        return jar;
    }

    private static String nameIn(Path jar) {
        Object factory = PolicyJar.read(jar).factories().get(0);
        return ((MatchingStrategyFactory) factory).describe().name();
    }

    private static void assertRefused(Path jar, String why) {
        assertThatThrownBy(() -> PolicyJar.read(jar))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("option --bundle is '" + jar + "': ")
                .hasMessageContaining(why);
    }

    @Test
    void classesOfEmbeddedJarsAndFoldersAreLoaded() throws IOException {
        String imports = IMPORTS + ",org.slf4j;version=\"[2.0,3)\"";
        assertThat(nameIn(bundle(
                        imports, ".,lib/names.jar", Map.of(POLICY, classes.get(POLICY), "lib/names.jar", of(LIBRARY)))))
                .isEqualTo("from-a-library");
        assertThat(nameIn(bundle(
                        imports,
                        "the classes/,/lib/names.jar,lib/missing.jar",
                        Map.of("the classes/" + POLICY, classes.get(POLICY), "lib/names.jar", of(LIBRARY)))))
                .isEqualTo("from-a-library");
        assertThat(nameIn(bundle(imports, "lib/all.jar", Map.of("lib/all.jar", of(POLICY, LIBRARY)))))
                .isEqualTo("from-a-library");
    }

    @Test
    void anEmbeddedJarThatIsNotOnTheClassPathIsNotSeen() throws IOException {
        Path jar =
                bundle(IMPORTS + ",org.slf4j", "", Map.of(POLICY, classes.get(POLICY), "lib/names.jar", of(LIBRARY)));

        assertThatThrownBy(() -> nameIn(jar))
                .isInstanceOf(NoClassDefFoundError.class)
                .hasMessageContaining("com/example/names/Names");
    }

    @Test
    void slf4jIsThereForBundlesThatImportIt() throws IOException {
        assertRefused(bundle(IMPORTS, "", classes), "class com.example.policy.Named cannot be created: ");
        assertThat(nameIn(bundle(IMPORTS + ",org.slf4j", "", classes))).isEqualTo("from-a-library");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.util",
                "javax.xml.parsers",
                "org.slf4j.event",
                "com.example.names;version=\"1.0\"",
                "com.example.other;resolution:=optional",
                "com.example.other;version=\"[1.0,2)\";resolution:=\"optional\"",
            })
    void packagesThatAreThereOrNotNeededMayBeImported(String imported) throws IOException {
        assertThat(nameIn(bundle(IMPORTS + "," + imported + ",org.slf4j", "", classes)))
                .isEqualTo("from-a-library");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "com.example.other | it imports com.example.other, which neither Java,",
                "com.example.other;version=\"[1.0,2)\" | it imports com.example.other, which neither Java,",
                "com.example.names;com.example.third;version=\"[1,2)\" | it imports com.example.third, which",
                "com.sun.tools.javac.main | it imports com.sun.tools.javac.main, which",
                "io.berth.core.api | it imports io.berth.core.api, which",
                "io.berth.spi.scaling;version=\"[9.0,10)\" | it imports io.berth.spi.scaling [9.0.0,10.0.0), and this",
                "io.berth.spi.other | it imports io.berth.spi.other, which the extension points do not have",
                "com.example.names;version=x | its header Import-Package cannot be read: ",
            })
    void aPackageThatIsNotThereIsNamed(String imported, String message) throws IOException {
        assertRefused(bundle(IMPORTS + ",org.slf4j," + imported, "", classes), message);
    }
}

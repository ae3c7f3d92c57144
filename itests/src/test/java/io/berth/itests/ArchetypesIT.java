package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The commands of docs/archetypes.md, typed in an empty folder for each kind, and those of docs/write-a-job.md: the project is
 * generated and verified.
 */
public class ArchetypesIT {

    private static final Path PAGE = Path.of("..", "docs", "archetypes.md");
    private static final String SHOWN = "berth-archetype-matching";

    /** Those of the home folder, with the archetype that the page shows. */
    private static List<String> commands;

    @Rule
    public final TemporaryFolder home = new TemporaryFolder();

    @BeforeClass
    public static void readThePage() throws IOException {
        commands = commands(PAGE);
        String generate = commands.get(1);
        assertTrue(
                generate,
                generate.contains(SHOWN + " -DarchetypeVersion=" + System.getProperty("berth.version") + " "));
    }

    /** Those that are typed in the home folder, after the build of Berth. */
    private static List<String> commands(Path page) throws IOException {
        Guide guide = new Guide(page);
        List<String> install = guide.next("sh");
        assertTrue("this build did that: " + install, install.get(0).startsWith("./mvnw "));
        List<String> typed = guide.next("sh");
        assertEquals("cd ~", typed.get(0));
        return typed;
    }

    private Outcome type(List<String> lines) throws Exception {
        Map<String, String> environment = GuideCheckout.maven(home.getRoot().toPath(), "-ntp");
        return Outcome.of(
                home.getRoot().toPath(), environment, "", List.of("bash", "-e", "-c", String.join("\n", lines)));
    }

    private List<String> forKind(String kind) {
        return commands.stream()
                .map(line -> line.replace(SHOWN, "berth-archetype-" + kind))
                .toList();
    }

    private void isGreen(String kind) throws Exception {
        Path target = verified(forKind(kind), "my-policy");
        assertTrue(Files.isRegularFile(target.resolve("my-policy-1.0.0-SNAPSHOT.kar")));
        try (JarFile jar = bundle(target, "my-policy")) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            String capability = manifest.getValue("Provide-Capability");
            assertTrue(capability, capability.contains("kind=" + kind) && capability.contains("name=my-policy"));
            assertEquals("com.example.mypolicy", manifest.getValue("Bundle-SymbolicName"));
            assertEquals("what it imports but the extension points", List.of(), foreign(manifest, "io.berth.spi"));
        }
    }

    /** The target folder of a project whose tests have run. */
    private Path verified(List<String> lines, String project) throws Exception {
        String printed = type(lines).well().text();
        assertTrue(
                printed,
                Pattern.compile("Tests run: [1-9]\\d*, Failures: 0, Errors: 0")
                        .matcher(printed)
                        .find());
        return home.getRoot().toPath().resolve(project).resolve("target");
    }

    private static JarFile bundle(Path target, String project) throws IOException {
        return new JarFile(target.resolve(project + "-1.0.0-SNAPSHOT.jar").toFile());
    }

    private static List<String> foreign(Attributes manifest, String... allowed) {
        List<String> foreign = new ArrayList<>();
        // Versions in quotes have commas.
        for (String clause :
                manifest.getValue("Import-Package").replaceAll("\"[^\"]*\"", "").split(",")) {
            String name = clause.split(";")[0];
            if (!name.startsWith("java.") && Stream.of(allowed).noneMatch(name::startsWith)) {
                foreign.add(name);
            }
        }
        return foreign;
    }

    @Test
    public void aMatchingStrategy() throws Exception {
        isGreen("matching");
    }

    @Test
    public void aDistributionPolicy() throws Exception {
        isGreen("distribution");
    }

    @Test
    public void aScalingPolicy() throws Exception {
        isGreen("scaling");
    }

    @Test
    public void aBackend() throws Exception {
        isGreen("backend");
    }

    @Test
    public void aJob() throws Exception {
        Path target = verified(commands(Path.of("..", "docs", "write-a-job.md")), "my-job");
        String description = Files.readString(target.resolve("batch.yaml"));
        assertTrue(description, description.contains("file:my-job-1.0.0-SNAPSHOT.jar") && !description.contains("${"));
        try (JarFile jar = bundle(target, "my-job")) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertEquals(
                    "what it imports but the API of operators",
                    List.of(),
                    foreign(manifest, "io.berth.dataflow.api", "org.slf4j"));
            String capabilities = manifest.getValue("Provide-Capability");
            for (String operator : List.of("parse-visit", "sum-by-page", "random-visit")) {
                assertTrue(capabilities, capabilities.contains("name=" + operator));
            }
            assertEquals(
                    "what is not for workers",
                    List.of(),
                    jar.stream()
                            .map(JarEntry::getName)
                            .filter(name -> name.contains("/submit/"))
                            .toList());
        }
    }
}

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
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The commands of docs/archetypes.md, typed in an empty folder for each kind: the project is generated and verified. */
public class ArchetypesIT {

    private static final Path PAGE = Path.of("..", "docs", "archetypes.md");
    private static final String SHOWN = "berth-archetype-matching";

    /** Those of the home folder, with the archetype that the page shows. */
    private static List<String> commands;

    @Rule
    public final TemporaryFolder home = new TemporaryFolder();

    @BeforeClass
    public static void readThePage() throws IOException {
        Guide guide = new Guide(PAGE);
        List<String> install = guide.next("sh");
        assertTrue("this build did that: " + install, install.get(0).startsWith("./mvnw "));
        commands = guide.next("sh");
        assertEquals("cd ~", commands.get(0));
        String generate = commands.get(1);
        assertTrue(
                generate,
                generate.contains(SHOWN + " -DarchetypeVersion=" + System.getProperty("berth.version") + " "));
    }

    private Outcome type(List<String> lines) throws Exception {
        Map<String, String> environment = Map.of(
                "HOME",
                home.getRoot().getAbsolutePath(),
                "JAVA_HOME",
                System.getProperty("java.home"),
                "PATH",
                Path.of(System.getProperty("berth.maven"), "bin") + ":" + System.getenv("PATH"),
                "MAVEN_OPTS",
                BerthContainer.COMPILER,
                "MAVEN_ARGS",
                "-ntp -Dmaven.repo.local=" + System.getProperty("berth.sample.repository") + " -Dmaven.repo.local.tail="
                        + System.getProperty("berth.repository"));
        return Outcome.of(
                home.getRoot().toPath(), environment, "", List.of("bash", "-e", "-c", String.join("\n", lines)));
    }

    private List<String> forKind(String kind) {
        return commands.stream()
                .map(line -> line.replace(SHOWN, "berth-archetype-" + kind))
                .toList();
    }

    private void isGreen(String kind) throws Exception {
        String printed = type(forKind(kind)).well().text();
        assertTrue(
                printed,
                Pattern.compile("Tests run: \\d+, Failures: 0, Errors: 0")
                        .matcher(printed)
                        .find());
        Path target = home.getRoot().toPath().resolve("my-policy").resolve("target");
        assertTrue(printed, Files.isRegularFile(target.resolve("my-policy-1.0.0-SNAPSHOT.kar")));
        try (JarFile jar =
                new JarFile(target.resolve("my-policy-1.0.0-SNAPSHOT.jar").toFile())) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            String capability = manifest.getValue("Provide-Capability");
            assertTrue(capability, capability.contains("kind=" + kind) && capability.contains("name=my-policy"));
            assertEquals("com.example.mypolicy", manifest.getValue("Bundle-SymbolicName"));
            assertEquals("what it imports but the extension points", List.of(), foreign(manifest));
        }
    }

    private static List<String> foreign(Attributes manifest) {
        List<String> foreign = new ArrayList<>();
        // Versions in quotes have commas.
        for (String clause :
                manifest.getValue("Import-Package").replaceAll("\"[^\"]*\"", "").split(",")) {
            String name = clause.split(";")[0];
            if (!name.startsWith("io.berth.spi") && !name.startsWith("java.")) {
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
}

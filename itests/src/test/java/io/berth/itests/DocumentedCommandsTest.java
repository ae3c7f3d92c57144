package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.time.SystemClock;
import io.berth.itests.DocumentedCommands.Command;
import io.berth.ops.cli.Berth;
import io.berth.ops.cli.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;

/** Documented commands of {@code ./berth} exist, and what documented builds name does. */
public class DocumentedCommandsTest {

    private static final List<Path> SOURCES = sources();
    private static final Pattern BERTH_COMMAND = Pattern.compile("^ {2}([a-z-]+) {2,}.*", Pattern.MULTILINE);
    private static final Pattern SIMULATOR_OPTION = Pattern.compile("^ +(--[a-z-]+) ", Pattern.MULTILINE);
    private static final Pattern PROPERTY = Pattern.compile("-D([a-zA-Z.]+)(?:=(\\S+))?");

    @Test
    public void blocksOfCommandsAreMarkedAsSuch() throws IOException {
        assertEquals(
                "commands in blocks that are not of kind sh",
                List.of(),
                DocumentedCommands.read().unmarked());
    }

    @Test
    public void commandsAndOptionsThatAreShownAreThere() throws Exception {
        Set<String> names = new TreeSet<>();
        Matcher matcher = BERTH_COMMAND.matcher(help(List.of()));
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        assertTrue(names.toString(), names.contains("demo"));
        assertEquals(
                "commands and options of ./berth that are shown and not there",
                List.of(),
                DocumentedCommands.read().missing(names, false, DocumentedCommandsTest::help));
    }

    /** The commands hand them to the simulator, which is another process with a help of its own. */
    @Test
    public void optionsThatTheSimulatorHasAreThoseOfTheCommands() throws IOException {
        String own = Files.readString(DocumentedCommands.ROOT.resolve(
                "bundles/simulator/src/main/java/io/berth/simulator/replay/ReplayHelp.java"));
        Set<String> options = new TreeSet<>();
        Matcher matcher = SIMULATOR_OPTION.matcher(own);
        while (matcher.find()) {
            options.add(matcher.group(1));
        }
        assertTrue(options.toString(), options.contains("--nodes") && options.size() > 10);
        for (List<String> command : List.of(List.of("simulate"), List.of("policy", "compare"))) {
            String help = help(command);
            List<String> missing = options.stream()
                    .filter(option -> !Pattern.compile("(?m)^ .*" + option + "[=\\s]")
                            .matcher(help)
                            .find())
                    .toList();
            assertEquals("options of the simulator that " + command + " does not have", List.of(), missing);
        }
    }

    private static String help(List<String> path) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        List<String> arguments = new ArrayList<>(path);
        arguments.add("--help");
        Terminal terminal =
                new Terminal(out, out, 0, Map.of(), DocumentedCommands.ROOT, new SystemClock(), new CountDownLatch(1));
        Berth.run(terminal, arguments.toArray(String[]::new));
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    public void buildsNameWhatIsThere() throws IOException {
        List<String> missing = new ArrayList<>();
        int builds = 0;
        for (Command command : DocumentedCommands.read().elsewhere()) {
            String text = command.text();
            for (String word : text.split("[\\s;&|]+")) {
                if (word.endsWith(".java") && !Files.exists(DocumentedCommands.ROOT.resolve(word))) {
                    missing.add(command + ": no file " + word);
                }
            }
            if (text.startsWith("./mvnw ")) {
                builds++;
                checkNames(command, missing);
            }
        }
        assertEquals(List.of(), missing);
        assertTrue("only " + builds + " builds were found", builds >= 15);
    }

    private static void checkNames(Command command, List<String> missing) throws IOException {
        Matcher modules = Pattern.compile("-pl (\\S+)").matcher(command.text());
        while (modules.find()) {
            for (String module : modules.group(1).split(",")) {
                if (!Files.exists(DocumentedCommands.ROOT.resolve(module).resolve("pom.xml"))) {
                    missing.add(command + ": no module " + module);
                }
            }
        }
        Matcher profile = Pattern.compile("-P([a-z-]+)").matcher(command.text());
        while (profile.find()) {
            if (!anyFile("pom.xml", "<id>" + profile.group(1) + "</id>")) {
                missing.add(command + ": no profile " + profile.group(1));
            }
        }
        Matcher property = PROPERTY.matcher(command.text());
        while (property.find()) {
            String name = property.group(1);
            if (name.equals("test") || name.equals("it.test")) {
                if (!property.group(2).equals("None") && !anyFile(property.group(2) + ".java", "class ")) {
                    missing.add(command + ": no test " + property.group(2));
                }
            } else if (name.startsWith("berth.") && !anyFile("pom.xml", name) && !anyFile(".java", '"' + name + '"')) {
                missing.add(command + ": nothing reads the property " + name);
            }
        }
    }

    /** Whether a file whose name has that end contains the text. */
    private static boolean anyFile(String end, String text) throws IOException {
        for (Path file : SOURCES) {
            if (file.toString().endsWith(end) && Files.readString(file).contains(text)) {
                return true;
            }
        }
        return false;
    }

    private static List<Path> sources() {
        List<Path> sources = new ArrayList<>();
        for (String folder : List.of("bundles", "features", "itests", "karaf-assembly")) {
            try (Stream<Path> files = Files.walk(DocumentedCommands.ROOT.resolve(folder))) {
                files.filter(path -> path.toString().matches(".*(pom\\.xml|\\.java)"))
                        .filter(path -> !path.toString().contains("/target/"))
                        .forEach(sources::add);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
        return sources;
    }
}

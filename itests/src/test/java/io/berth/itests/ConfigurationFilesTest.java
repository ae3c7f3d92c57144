package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import io.berth.backend.local.LocalBackendFactory;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.settings.ResourcesConfiguration;
import io.berth.itests.ConfigurationFile.Key;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.ValueType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Each key of a configuration stands in its file in etc, commented out, with the default that the code has, and on the
 * page docs/configuration.md, which is made of the files, the metatypes and the features.
 */
public class ConfigurationFilesTest {

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");
    private static final String BACKEND = "io.berth.backend.local";
    private static final Pattern FROM_TO = Pattern.compile("(\\d+) to (\\d+)");
    private static final Pattern AT_LEAST = Pattern.compile("at least (\\d+)");

    /** What the code says of a key. */
    private record Attribute(String value, boolean number) {}

    @Test
    public void keysAndDefaultsOfTheFilesAreThoseOfTheCode() throws Exception {
        Map<String, Map<String, String>> inFiles = new TreeMap<>();
        for (ConfigurationFile file : ConfigurationFile.all()) {
            Map<String, String> keys = new TreeMap<>();
            file.keys().forEach(key -> keys.put(key.name(), key.value()));
            if (!keys.isEmpty()) {
                inFiles.put(file.pid(), keys);
            }
        }
        Map<String, Map<String, String>> inCode = new TreeMap<>();
        attributes().forEach((pid, attributes) -> {
            Map<String, String> keys = new TreeMap<>();
            attributes.forEach((key, attribute) -> keys.put(key, attribute.value()));
            inCode.put(pid, keys);
        });
        assertEquals(inCode.keySet(), inFiles.keySet());
        inCode.forEach((pid, keys) -> assertEquals(pid, keys, inFiles.get(pid)));
    }

    @Test
    public void eachNumberSaysWhatIsAllowed() throws Exception {
        List<String> missing = new ArrayList<>();
        Map<String, Map<String, Attribute>> attributes = attributes();
        for (ConfigurationFile file : ConfigurationFile.all()) {
            for (Key key : file.keys()) {
                if (attributes.get(file.pid()).get(key.name()).number()
                        && key.allowed().isEmpty()) {
                    missing.add(file.pid() + ": " + key.name());
                }
            }
        }
        assertEquals("keys without a line '# Allowed: ...' above them", List.of(), missing);
    }

    @Test
    public void whatIsAllowedForTheBackendIsWhatItDescribes() throws Exception {
        Map<String, Key> keys = keys(BACKEND);
        for (ConfigurationKey described : new LocalBackendFactory().describe().configuration()) {
            if (described.type() == ValueType.NUMBER) {
                String range = described.allowed().replace("a whole number from ", "");
                String minimum = range.substring(0, range.indexOf(' '));
                String allowed = keys.get(described.key()).allowed().orElse("");
                assertTrue(
                        described.key() + " allows " + allowed + ", the code " + range,
                        allowed.equals(range) || allowed.startsWith(minimum + " to workers."));
            }
        }
    }

    @Test
    public void whatIsAllowedForTheResourceManagerIsWhatItTakes() throws Exception {
        Map<String, Key> keys = keys("io.berth.core.resources");
        int tried = 0;
        for (var method : ResourcesConfiguration.class.getDeclaredMethods()) {
            String name = method.getName().replace('_', '.');
            if (!keys.containsKey(name)) {
                continue; // deprecated
            }
            if (name.startsWith("worker.memory")
                    || name.startsWith("worker.resource")
                    || name.startsWith("worker.logs")) {
                continue; // of the launch command, which is made elsewhere
            }
            Matcher range = FROM_TO.matcher(keys.get(name).allowed().orElse(""));
            Matcher least = AT_LEAST.matcher(keys.get(name).allowed().orElse(""));
            if (range.matches() || least.matches()) {
                tried++;
                long first = Long.parseLong((range.matches() ? range : least).group(1));
                refuses(name, first - 1);
                ResourceSettings.of(with(name, first));
                if (range.matches()) {
                    ResourceSettings.of(with(name, Long.parseLong(range.group(2))));
                    refuses(name, Long.parseLong(range.group(2)) + 1);
                }
            }
        }
        assertTrue("only " + tried + " keys with a range", tried >= 10);
    }

    @Test
    public void whatIsAllowedForTheRuntimeIsWhatWorkersTake() throws Exception {
        Map<String, Key> keys = keys("io.berth.runtime.dataflow");
        assertEquals(
                keys.keySet(),
                RuntimeSettings.KEYS.stream().map(RuntimeSettings.Key::name).collect(Collectors.toSet()));
        for (RuntimeSettings.Key key : RuntimeSettings.KEYS) {
            Key inFile = keys.get(key.name());
            assertEquals(key.name(), Optional.of(key.least() + " to " + key.most()), inFile.allowed());
            assertEquals(key.name(), Long.toString(key.defaultValue()), inFile.value());
        }
    }

    private static void refuses(String key, long value) {
        IllegalArgumentException refusal = assertThrows(
                key + " = " + value, IllegalArgumentException.class, () -> ResourceSettings.of(with(key, value)));
        assertTrue(refusal.getMessage(), refusal.getMessage().startsWith(key + " is " + value));
    }

    private static ResourcesConfiguration with(String key, long value) {
        return (ResourcesConfiguration) Proxy.newProxyInstance(
                ResourcesConfiguration.class.getClassLoader(),
                new Class<?>[] {ResourcesConfiguration.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().replace('_', '.').equals(key)) {
                        return method.getDefaultValue();
                    }
                    return method.getReturnType() == int.class ? (Object) (int) value : (Object) value;
                });
    }

    @Test
    public void nothingIsSetThatDiffersFromADefault() throws IOException {
        try (Stream<Path> files = Files.list(ConfigurationFile.FOLDER)) {
            for (Path file : files.toList()) {
                assertEquals(
                        file.toString(),
                        List.of(),
                        Files.readAllLines(file).stream()
                                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                                .toList());
            }
        }
    }

    @Test
    public void thePageListsEveryKey() throws Exception {
        String page = page();
        if (System.getProperty("berth.configuration", "check").equals("write")) {
            Files.writeString(PAGE, page);
        }
        assertTrue(
                "docs/configuration.md is not what the files, the metatypes and the features say. Write it with"
                        + " ./mvnw test -pl itests -Dtest=ConfigurationFilesTest -Dberth.configuration=write, then"
                        + " ./mvnw -N spotless:apply, and look at the difference.",
                Files.exists(PAGE) && facts(page).equals(facts(Files.readString(PAGE))));
    }

    /** A page without what the formatter of Markdown decides: the width of columns and the length of lines. */
    private static String facts(String page) {
        return page.replaceAll("-{2,}", "-")
                .replaceAll("\\s+", " ")
                .replaceAll(":?-:?(?= *\\|)", "-")
                .strip();
    }

    private static String page() throws Exception {
        StringBuilder page = new StringBuilder("""
                # Configuration

                Every key of the files `etc/io.berth.*.cfg`. This page is made of those files, of the metatypes of the
                bundles and of the features, and a test compares it with them:
                `./mvnw test -pl itests -Dtest=ConfigurationFilesTest -Dberth.configuration=write` writes it.

                A file has each key as a comment, with its default and an explanation. Remove the `#` and give another
                value; `config:property-set` in the Karaf shell does the same. A value that is not allowed is named in
                the log, and the previous values stay. Without a file the defaults apply: delete it, or use
                `config:delete`. Karaf looks for changed files each second. When it reads one while it is written, it reads it
                again; write another file and move it into its place with `mv`, and it never sees half of one.
                Berth never writes these files itself, and changes that do not come from a file, `config:*` or JMX
                last until the next start ([why](decisions/0024-configurations-are-not-written-back.md)).

                Ports of REST and the shell, users and logging have files of Karaf: see [ports](operations.md#ports) and
                [logs](operations.md#logs). Options of commands are in `./berth COMMAND --help`. A policy that has a
                configuration of its own describes it; its PID is the symbolic name of its bundle: see [writing a
                policy](write-a-policy.md#configuring-it). Each pool has a file
                with keys of its own, `etc/io.berth.pool-NAME.cfg`: see [pools](pools.md).
                """);
        Map<String, TreeSet<String>> readers = readers();
        for (ConfigurationFile file : ConfigurationFile.all()) {
            page.append("\n## ")
                    .append(file.pid())
                    .append(".cfg\n\n")
                    .append(file.about().replace(" Every key is shown with its default.", ""));
            page.append(" A change ").append(file.change()).append(". Read by ");
            page.append(reader(Optional.ofNullable(readers.get(file.pid())).orElseGet(TreeSet::new)));
            page.append(".\n");
            if (!file.keys().isEmpty()) {
                page.append("\n| key | default | unit | allowed | meaning |\n|---|---|---|---|---|\n");
            }
            for (Key key : file.keys()) {
                page.append("| `").append(key.name()).append("` | ");
                page.append(key.value().isEmpty() ? "empty" : "`" + key.value() + "`");
                page.append(" | ").append(unit(key.name())).append(" | ");
                page.append(key.allowed().orElse("")).append(" | ").append(key.about());
                key.change()
                        .ifPresent(change ->
                                page.append(" A change ").append(change).append("."));
                page.append(" |\n");
            }
        }
        return page.toString();
    }

    private static String unit(String key) {
        return switch (key.substring(key.lastIndexOf('.') + 1)) {
            case "ms" -> "ms";
            case "bytes" -> "bytes";
            case "mib" -> "MiB";
            case "millicores" -> "1/1000 core";
            case "percent" -> "percent";
            case "cpu" -> "cores";
            default -> "";
        };
    }

    private static String reader(TreeSet<String> roles) {
        return switch (roles.size()) {
            case 0 -> "processes that its feature is installed in";
            case 3 -> "every process of the control plane";
            default -> "processes with the role `" + String.join("` or `", roles) + "`";
        };
    }

    /** By file, the roles whose features bring it. */
    private static Map<String, TreeSet<String>> readers() throws Exception {
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("..", "features", "src", "main", "feature", "feature.xml")
                        .toFile());
        Map<String, Element> features = new TreeMap<>();
        NodeList all = document.getDocumentElement().getChildNodes();
        for (int i = 0; i < all.getLength(); i++) {
            if (all.item(i) instanceof Element element && element.getTagName().equals("feature")) {
                features.put(element.getAttribute("name"), element);
            }
        }
        Map<String, TreeSet<String>> readers = new TreeMap<>();
        for (String feature : features.keySet()) {
            if (feature.startsWith("berth-role-")) {
                collect(feature, feature.substring("berth-role-".length()), features, readers);
            }
        }
        return readers;
    }

    private static void collect(
            String feature, String role, Map<String, Element> features, Map<String, TreeSet<String>> readers) {
        NodeList parts = features.get(feature).getElementsByTagName("*");
        for (int i = 0; i < parts.getLength(); i++) {
            Element part = (Element) parts.item(i);
            String name = part.getTextContent().strip();
            if (part.getTagName().equals("feature") && features.containsKey(name)) {
                collect(name, role, features, readers);
            } else if (part.getTagName().equals("configfile")) {
                String file = part.getAttribute("finalname");
                readers.computeIfAbsent(
                                file.substring(file.lastIndexOf('/') + 1).replaceFirst("\\.cfg$", ""),
                                pid -> new TreeSet<>())
                        .add(role);
            }
        }
    }

    private static Map<String, Key> keys(String pid) throws IOException {
        Map<String, Key> keys = new TreeMap<>();
        for (ConfigurationFile file : ConfigurationFile.all()) {
            if (file.pid().equals(pid)) {
                file.keys().forEach(key -> keys.put(key.name(), key));
            }
        }
        return keys;
    }

    /** By PID, what the code says of its keys: the metatypes of all bundles, and what the backend describes. */
    private static Map<String, Map<String, Attribute>> attributes() throws Exception {
        Map<String, Map<String, Attribute>> attributes = new TreeMap<>();
        for (URL folder :
                Collections.list(ConfigurationFilesTest.class.getClassLoader().getResources("OSGI-INF/metatype"))) {
            URI uri = folder.toURI();
            if (uri.getScheme().equals("file")) {
                readMetatypes(Path.of(uri), attributes);
            } else {
                try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
                    readMetatypes(jar.getPath("OSGI-INF", "metatype"), attributes);
                }
            }
        }
        attributes.keySet().removeIf(pid -> !pid.startsWith("io.berth."));
        Map<String, Attribute> backend = new TreeMap<>();
        for (ConfigurationKey key : new LocalBackendFactory().describe().configuration()) {
            backend.put(key.key(), new Attribute(key.defaultValue(), key.type() == ValueType.NUMBER));
        }
        attributes.put(BACKEND, backend);
        return attributes;
    }

    private static void readMetatypes(Path folder, Map<String, Map<String, Attribute>> attributes) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".xml")).toList()) {
                Document document;
                try (InputStream in = Files.newInputStream(file)) {
                    document = DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(in);
                }
                NodeList designates = document.getElementsByTagName("Designate");
                for (int i = 0; i < designates.getLength(); i++) {
                    attributes.put(((Element) designates.item(i)).getAttribute("pid"), attributes(document));
                }
            }
        }
    }

    private static Map<String, Attribute> attributes(Document document) {
        Map<String, Attribute> keys = new TreeMap<>();
        NodeList definitions = document.getElementsByTagName("AD");
        for (int i = 0; i < definitions.getLength(); i++) {
            Element definition = (Element) definitions.item(i);
            if (definition.getAttribute("name").startsWith("Deprecated")) {
                continue;
            }
            keys.put(
                    definition.getAttribute("id"),
                    new Attribute(
                            definition.getAttribute("default").replaceAll("\\\\(.)", "$1"),
                            List.of("Long", "Integer", "Double").contains(definition.getAttribute("type"))));
        }
        return keys;
    }
}

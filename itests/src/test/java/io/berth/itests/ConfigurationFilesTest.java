package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import io.berth.backend.local.LocalBackendFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Each key of a configuration stands in its file in etc, commented out, with the default that the code has. */
public class ConfigurationFilesTest {

    private static final Path FILES = Path.of("..", "features", "src", "main", "cfg");
    private static final Pattern KEY = Pattern.compile("# ([a-z][a-z0-9.]*) =(.*)");

    /** A bundle and the name of the class that its metatype was made of. */
    private static final Map<String, String> METATYPES = Map.of(
            "io.berth.core.rpc", "io.berth.core.rpc.component.RpcComponent$Settings",
            "io.berth.core.resources", "io.berth.core.resources.settings.ResourcesConfiguration",
            "io.berth.core.scheduler", "io.berth.core.scheduler.JobMastersRole$Configuration",
            "io.berth.core.dispatcher", "io.berth.core.dispatcher.DispatcherRole$Configuration",
            "io.berth.core.policies", "io.berth.core.policies.PolicyHostConfiguration",
            "io.berth.ha.file.election", "io.berth.ha.file.LeaderElectionInFiles$Configuration",
            "io.berth.ops.rest", "io.berth.ops.rest.RestServlet$Configuration",
            "io.berth.ops.metrics", "io.berth.ops.metrics.MetricsConfiguration");

    @Test
    public void keysAndDefaultsAreThoseOfTheMetatypes() throws Exception {
        for (Map.Entry<String, String> metatype : new TreeMap<>(METATYPES).entrySet()) {
            assertEquals(metatype.getKey(), metatype(metatype.getValue()), file(metatype.getKey()));
        }
    }

    @Test
    public void keysAndDefaultsAreThoseOfTheBackend() throws Exception {
        Map<String, String> described = new TreeMap<>();
        new LocalBackendFactory()
                .describe()
                .configuration()
                .forEach(key -> described.put(key.key(), key.defaultValue()));
        assertEquals(described, file("io.berth.backend.local"));
    }

    @Test
    public void nothingIsSetThatDiffersFromADefault() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
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

    private static Map<String, String> file(String pid) throws IOException {
        Map<String, String> keys = new TreeMap<>();
        for (String line : Files.readAllLines(FILES.resolve(pid + ".cfg"))) {
            Matcher matcher = KEY.matcher(line);
            if (matcher.matches()) {
                keys.put(matcher.group(1), matcher.group(2).strip());
            }
        }
        return keys;
    }

    private static Map<String, String> metatype(String name) throws Exception {
        List<URL> found = Collections.list(
                ConfigurationFilesTest.class.getClassLoader().getResources("OSGI-INF/metatype/" + name + ".xml"));
        assertFalse("no metatype " + name, found.isEmpty());
        Map<String, String> keys = new TreeMap<>();
        try (InputStream in = found.get(0).openStream()) {
            Document document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
            NodeList definitions = document.getElementsByTagName("AD");
            for (int i = 0; i < definitions.getLength(); i++) {
                Element definition = (Element) definitions.item(i);
                keys.put(
                        definition.getAttribute("id"),
                        definition.getAttribute("default").replaceAll("\\\\(.)", "$1"));
            }
        }
        return keys;
    }
}

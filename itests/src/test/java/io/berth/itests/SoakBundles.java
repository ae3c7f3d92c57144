package io.berth.itests;

import io.berth.spi.PolicyKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/**
 * Creates bundles with a policy, in any number of versions, and installs, updates and uninstalls them: the test's own
 * bundles, and the bundle of the sample that is built outside the reactor.
 */
final class SoakBundles {

    static final String SAMPLE = "last-fit";
    private static final String SAMPLE_JAR = "last-fit-1.0.0.jar";
    private static final String[] OWN = {"SoakActivator", "SoakMatching", "SoakDistribution", "SoakName"};

    private final BundleContext context;
    private final WiringWatch wirings;
    private final Map<String, Bundle> installed = new TreeMap<>();
    private final Map<String, byte[]> classes = new LinkedHashMap<>();
    private final Map<String, byte[]> sample = new LinkedHashMap<>();
    private Manifest sampleManifest;

    SoakBundles(BundleContext context, WiringWatch wirings) throws IOException {
        this.context = context;
        this.wirings = wirings;
        for (String name : OWN) {
            String path = "io/berth/itests/policy/" + name + ".class";
            try (InputStream in = SoakBundles.class.getResourceAsStream("/" + path)) {
                classes.put(path, in.readAllBytes());
            }
        }
        take("io.berth.matching.firstfit");
        take("io.berth.distribution.fifo");
        readSample();
    }

    /** Copies the classes of an installed policy and its helpers, to offer them under another name. */
    private void take(String symbolicName) throws IOException {
        Bundle shipped = Arrays.stream(context.getBundles())
                .filter(bundle -> symbolicName.equals(bundle.getSymbolicName()))
                .findFirst()
                .orElseThrow();
        for (URL url : Collections.list(shipped.findEntries("/", "*.class", true))) {
            try (InputStream in = url.openStream()) {
                classes.put(url.getPath().substring(1), in.readAllBytes());
            }
        }
    }

    private void readSample() throws IOException {
        try (ZipInputStream kar =
                new ZipInputStream(Files.newInputStream(Path.of(System.getProperty("berth.sample.kar"))))) {
            ZipEntry entry = kar.getNextEntry();
            while (!entry.getName().endsWith("/" + SAMPLE_JAR)) {
                entry = kar.getNextEntry();
            }
            ZipInputStream jar = new ZipInputStream(kar);
            for (ZipEntry part = jar.getNextEntry(); part != null; part = jar.getNextEntry()) {
                if (part.getName().equals("META-INF/MANIFEST.MF")) {
                    sampleManifest = new Manifest(new ByteArrayInputStream(jar.readAllBytes()));
                } else if (!part.isDirectory()) {
                    sample.put(part.getName(), jar.readAllBytes());
                }
            }
        }
    }

    static String symbolicName(String policy) {
        return policy.equals(SAMPLE) ? "com.example.lastfit" : "storm." + policy.replace('-', '.');
    }

    void install(PolicyKind kind, String policy, String version, int ranking) throws Exception {
        Bundle bundle = context.installBundle("storm:" + policy, content(kind, policy, version, ranking));
        installed.put(policy, bundle);
        bundle.start();
    }

    void update(PolicyKind kind, String policy, String version, int ranking) throws Exception {
        Bundle bundle = installed.get(policy);
        wirings.retire(bundle);
        bundle.update(content(kind, policy, version, ranking));
    }

    void uninstall(String policy) throws Exception {
        Bundle bundle = installed.remove(policy);
        wirings.retire(bundle);
        bundle.uninstall();
    }

    void rank(String policy, int ranking) throws Exception {
        ServiceReference<IntConsumer> reference = context.getServiceReferences(
                        IntConsumer.class, "(storm.name=" + policy + ")")
                .iterator()
                .next();
        context.getService(reference).accept(ranking);
        context.ungetService(reference);
    }

    /**
     * Writes the jar of a policy for tools without a framework, which read the component that its manifest names.
     *
     * @return the file
     */
    Path writeFor(Path folder, PolicyKind kind, String policy) throws IOException {
        Path jar = folder.resolve(policy + ".jar");
        if (policy.equals(SAMPLE)) {
            try (InputStream in = content(kind, policy, "1.0.0", 0)) {
                Files.write(jar, in.readAllBytes());
            }
            return jar;
        }
        boolean matching = kind == PolicyKind.MATCHING;
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Bundle-SymbolicName", symbolicName(policy));
        main.putValue("Provide-Capability", "io.berth.policy;kind=" + kind.label() + ";name=" + policy);
        main.putValue("Service-Component", "OSGI-INF/policy.xml");
        Map<String, byte[]> entries = new LinkedHashMap<>(classes);
        entries.put("storm.name", policy.getBytes(StandardCharsets.UTF_8));
        entries.put(
                "OSGI-INF/policy.xml",
                ("<component><implementation class='io.berth.itests.policy."
                                + (matching ? "SoakMatching" : "SoakDistribution")
                                + "'/><service><provide interface='io.berth.spi."
                                + (matching
                                        ? "matching.MatchingStrategyFactory"
                                        : "distribution.DistributionPolicyFactory")
                                + "'/></service></component>")
                        .getBytes(StandardCharsets.UTF_8));
        Files.write(jar, jar(manifest, entries));
        return jar;
    }

    private InputStream content(PolicyKind kind, String policy, String version, int ranking) {
        Manifest manifest = new Manifest();
        Map<String, byte[]> entries = new LinkedHashMap<>(classes);
        entries.put("storm.name", policy.getBytes(StandardCharsets.UTF_8));
        Attributes main = manifest.getMainAttributes();
        if (policy.equals(SAMPLE)) {
            main.putAll(sampleManifest.getMainAttributes());
            entries = sample;
        } else {
            main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
            main.putValue("Bundle-ManifestVersion", "2");
            main.putValue("Bundle-SymbolicName", symbolicName(policy));
            main.putValue("Bundle-Activator", "io.berth.itests.policy.SoakActivator");
            main.putValue(
                    "Import-Package",
                    "org.osgi.framework,io.berth.spi," + "io.berth.spi.matching,io.berth.spi.distribution");
            main.putValue("Storm-Kind", kind.label());
            main.putValue("Storm-Name", policy);
            main.putValue("Storm-Ranking", Integer.toString(ranking));
        }
        main.putValue("Bundle-Version", version);
        return new ByteArrayInputStream(jar(manifest, entries));
    }

    private static byte[] jar(Manifest manifest, Map<String, byte[]> entries) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                jar.putNextEntry(new JarEntry(entry.getKey()));
                jar.write(entry.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}

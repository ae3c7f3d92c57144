package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import aQute.bnd.header.Parameters;
import aQute.bnd.osgi.Builder;
import aQute.bnd.osgi.Jar;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Manifest;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.wiring.FrameworkWiring;

/**
 * The ranges with which bnd lets a policy import the extension points, resolved by a framework: a policy runs on later
 * minor versions than the one it was built against, not on earlier ones, and not across major versions.
 */
public class ConsumerRangesTest {

    private static final Path BUNDLES = Path.of("..", "bundles");
    private static final Path SPI = BUNDLES.resolve("spi/target/berth-spi.jar");
    private static final List<String> PACKAGES =
            List.of("io.berth.spi", "io.berth.spi.matching", "io.berth.spi.distribution", "io.berth.spi.scaling");
    /** What policies are made of: a factory of each kind, whose bundles import nothing else of Berth. */
    private static final List<String> POLICIES = List.of(
            "matching-first-fit",
            "matching-spread",
            "distribution-fifo",
            "scaling-reactive",
            "distribution-backfill",
            "scaling-minimal-increase",
            "scaling-target-rate",
            "scaling-steps",
            "scaling-schedule",
            "distribution-priority",
            "distribution-fair-share",
            "distribution-drf",
            "distribution-capacity",
            "matching-pack",
            "matching-rebalance",
            "matching-balanced",
            "matching-optimal",
            "matching-gale-shapley",
            "backend-local",
            "backend-standalone");

    private static final String BACKENDS = "io.berth.spi.backend";

    @Rule
    public TemporaryFolder folder = new TemporaryFolder();

    private Framework framework;

    @Before
    public void start() throws Exception {
        Map<String, String> settings = new TreeMap<>();
        settings.put(Constants.FRAMEWORK_STORAGE, folder.newFolder().toString());
        framework = new FrameworkFactory().newFramework(settings);
        framework.start();
    }

    @After
    public void stop() throws Exception {
        framework.stop();
        framework.waitForStop(60_000);
    }

    private static Parameters exports(Jar jar) throws Exception {
        return new Parameters(jar.getManifest().getMainAttributes().getValue(Constants.EXPORT_PACKAGE));
    }

    /** The version of each package of the extension points as they are built. */
    private static Map<String, Version> versions() throws Exception {
        try (Jar jar = new Jar(SPI.toFile())) {
            Map<String, Version> versions = new TreeMap<>();
            exports(jar)
                    .forEach((name, attributes) ->
                            versions.put(name, Version.parseVersion(attributes.get(Constants.VERSION_ATTRIBUTE))));
            return versions;
        }
    }

    /** The extension points with other versions of the packages that policies use. */
    private static byte[] extensionPoints(String version) throws Exception {
        try (Jar jar = new Jar(SPI.toFile())) {
            Manifest manifest = jar.getManifest();
            Parameters exports = exports(jar);
            PACKAGES.forEach(name -> exports.get(name).put(Constants.VERSION_ATTRIBUTE, version));
            // The major version of backends is one behind.
            String ofBackends = version.charAt(0) - '0' - 1 + version.substring(1);
            exports.get(BACKENDS).put(Constants.VERSION_ATTRIBUTE, ofBackends);
            manifest.getMainAttributes().putValue(Constants.EXPORT_PACKAGE, exports.toString());
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            jar.setManifest(manifest);
            jar.write(out);
            return out.toByteArray();
        }
    }

    /** A policy of the product as bnd packs it against these extension points. */
    private static byte[] builtAgainst(String policy, byte[] extensionPoints) throws Exception {
        try (Builder builder = new Builder();
                Jar spi = new Jar("spi", new ByteArrayInputStream(extensionPoints));
                Jar classes =
                        new Jar(BUNDLES.resolve(policy + "/target/classes").toFile())) {
            classes.remove("META-INF/MANIFEST.MF");
            builder.setJar(classes);
            builder.addClasspath(spi);
            builder.setProperty(Constants.BUNDLE_SYMBOLICNAME, policy);
            builder.setProperty(
                    Constants.IMPORT_PACKAGE, "io.berth.*,!org.jspecify.annotations,*;resolution:=optional");
            builder.setProperty("-noextraheaders", "true");
            builder.setProperty("-noimportjava", "true");
            // Of Declarative Services, which is not here.
            builder.setProperty("-removeheaders", "Require-Capability,Provide-Capability");
            Jar built = builder.build();
            assertEquals(List.of(), builder.getErrors());
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            built.write(out);
            return out.toByteArray();
        }
    }

    private Bundle install(String name, byte[] bundle) throws Exception {
        try (InputStream in = new ByteArrayInputStream(bundle)) {
            return framework.getBundleContext().installBundle("test:" + name, in);
        }
    }

    private boolean resolves(Bundle bundle) {
        return framework.adapt(FrameworkWiring.class).resolveBundles(List.of(bundle));
    }

    private void policies(String against, boolean resolved) throws Exception {
        byte[] compiled = extensionPoints(against);
        for (String policy : POLICIES) {
            Bundle bundle = install(policy, builtAgainst(policy, compiled));
            assertEquals(bundle.getHeaders().get(Constants.IMPORT_PACKAGE), resolved, resolves(bundle));
            bundle.uninstall();
        }
    }

    @Test
    public void aPolicyRunsOnTheVersionThatItWasBuiltAgainst() throws Exception {
        install("spi", extensionPoints("2.0.0"));
        policies("2.0.0", true);
    }

    @Test
    public void anOlderPolicyRunsOnALaterMinorVersion() throws Exception {
        install("spi", extensionPoints("2.3.0"));
        policies("2.0.0", true);
    }

    @Test
    public void aNewerPolicyDoesNotRunOnAnEarlierMinorVersion() throws Exception {
        install("spi", extensionPoints("2.0.0"));
        policies("2.3.0", false);
    }

    @Test
    public void aPolicyOfTheFirstMajorVersionDoesNotRun() throws Exception {
        install("spi", extensionPoints("2.0.0"));
        policies("1.2.0", false);
    }

    /** One package that moves on is enough, for the policies that use it and for no others. */
    @Test
    public void aPolicyDoesNotRunOnTheNextMajorVersionOfOnePackage() throws Exception {
        Map<String, String> next = new TreeMap<>(Map.of(BACKENDS, "2.0.0"));
        PACKAGES.forEach(name -> next.put(name, "3.0.0"));
        byte[] compiled = extensionPoints("2.0.0");
        for (Map.Entry<String, String> moved : next.entrySet()) {
            Bundle spi = install("spi", with(compiled, moved.getKey(), moved.getValue()));
            for (String policy : POLICIES) {
                Bundle bundle = install(policy, builtAgainst(policy, compiled));
                String imports = bundle.getHeaders().get(Constants.IMPORT_PACKAGE);
                boolean uses = new Parameters(imports).containsKey(moved.getKey());
                assertEquals(moved + ", " + imports, !uses, resolves(bundle));
                bundle.uninstall();
            }
            spi.uninstall();
            framework.adapt(FrameworkWiring.class).refreshBundles(List.of(spi));
        }
    }

    private static byte[] with(byte[] extensionPoints, String packageName, String version) throws Exception {
        try (Jar jar = new Jar("spi", new ByteArrayInputStream(extensionPoints))) {
            Manifest manifest = jar.getManifest();
            Parameters exports = new Parameters(manifest.getMainAttributes().getValue(Constants.EXPORT_PACKAGE));
            exports.get(packageName).put(Constants.VERSION_ATTRIBUTE, version);
            manifest.getMainAttributes().putValue(Constants.EXPORT_PACKAGE, exports.toString());
            jar.setManifest(manifest);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            jar.write(out);
            return out.toByteArray();
        }
    }

    @Test
    public void theBundlesAsTheyAreShippedTakeAllMinorVersionsOfEachPackage() throws Exception {
        Map<String, Version> versions = versions();
        Set<String> used = new TreeSet<>();
        for (String policy : POLICIES) {
            try (Jar bundle = new Jar(
                    BUNDLES.resolve(policy + "/target/berth-" + policy + ".jar").toFile())) {
                Parameters imports =
                        new Parameters(bundle.getManifest().getMainAttributes().getValue(Constants.IMPORT_PACKAGE));
                imports.keySet().stream()
                        .filter(name -> name.startsWith("io.berth."))
                        .forEach(name -> {
                            Version built = Objects.requireNonNull(versions.get(name), name);
                            assertEquals(
                                    policy + " imports " + name,
                                    "[" + built.getMajor() + "." + built.getMinor() + "," + (built.getMajor() + 1)
                                            + ")",
                                    imports.get(name).getVersion());
                            used.add(name);
                        });
            }
        }
        assertTrue(used.toString(), used.containsAll(PACKAGES) && used.contains(BACKENDS));
    }

    /** Who implements what policies are called with, the host, is bound to a minor version. */
    @Test
    public void theHostIsBoundToAMinorVersion() throws Exception {
        try (Jar host = new Jar(
                BUNDLES.resolve("core-policies/target/berth-core-policies.jar").toFile())) {
            String imports = host.getManifest().getMainAttributes().getValue(Constants.IMPORT_PACKAGE);
            Map<String, Version> versions = versions();
            List<String> all = new ArrayList<>(PACKAGES);
            all.add(BACKENDS);
            for (String name : all) {
                Version built = Objects.requireNonNull(versions.get(name), name);
                String range = "[" + built.getMajor() + "." + built.getMinor() + "," + built.getMajor() + "."
                        + (built.getMinor() + 1) + ")";
                assertTrue(name + " in " + imports, imports.contains(name + ";version=\"" + range + "\""));
            }
        }
    }

    /** Below version 1, a minor version may change anything. */
    @Test
    public void aMetadataStoreIsBoundToAMinorVersionUntilTheFirst() throws Exception {
        try (Jar store =
                new Jar(BUNDLES.resolve("ha-file/target/berth-ha-file.jar").toFile())) {
            String imports = store.getManifest().getMainAttributes().getValue(Constants.IMPORT_PACKAGE);
            assertTrue(imports, imports.contains("io.berth.spi.ha;version=\"[0.3,0.4)\""));
        }
    }

    @Test
    public void policiesImportNothingElseOfBerth() throws Exception {
        for (String policy : POLICIES) {
            Path file = BUNDLES.resolve(policy + "/target/berth-" + policy + ".jar");
            assertTrue(file.toString(), Files.exists(file));
            try (Jar jar = new Jar(file.toFile())) {
                String imports = jar.getManifest().getMainAttributes().getValue(Constants.IMPORT_PACKAGE);
                assertFalse(
                        imports,
                        Arrays.stream(imports.split(","))
                                .anyMatch(one -> one.startsWith("io.berth.") && !one.startsWith("io.berth.spi")));
            }
        }
    }
}

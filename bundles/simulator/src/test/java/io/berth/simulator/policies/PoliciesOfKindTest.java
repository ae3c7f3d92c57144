package io.berth.simulator.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bundles of policies are read as a framework reads them, and each error says what to change. */
class PoliciesOfKindTest {

    private static final Path FIRST_FIT = built("matching-first-fit");
    private static final Path SPREAD = built("matching-spread");
    private static final Path FIFO = built("distribution-fifo");

    @TempDir
    private Path folder;

    private static Path built(String bundle) {
        return Path.of("..", bundle, "target", "berth-" + bundle + ".jar");
    }

    private static PoliciesOfKind<MatchingStrategyFactory> of(Path... bundles) {
        return PoliciesOfKind.matching(Arrays.stream(bundles)
                .map(bundle -> PolicyJar.read(bundle).withStrategy())
                .toList());
    }

    /** A jar with such headers and no classes. */
    private Path jar(Map<String, String> headers) throws IOException {
        Path jar = folder.resolve("test.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        new TreeMap<>(headers).forEach(manifest.getMainAttributes()::putValue);
        try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            to.finish();
        }
        return jar;
    }

    /** The bundle of spread with another value of a header. */
    private Path spreadWith(String header, String part, String other) throws IOException {
        Path changed = folder.resolve("changed.jar");
        try (JarFile file = new JarFile(SPREAD.toFile())) {
            Manifest manifest = file.getManifest();
            String before = manifest.getMainAttributes().getValue(header);
            assertThat(before).contains(part);
            manifest.getMainAttributes().putValue(header, before.replace(part, other));
            try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(changed), manifest)) {
                for (JarEntry entry : (Iterable<JarEntry>) file.stream()::iterator) {
                    if (!entry.isDirectory() && !entry.getName().equals(JarFile.MANIFEST_NAME)) {
                        to.putNextEntry(new JarEntry(entry.getName()));
                        to.write(file.getInputStream(entry).readAllBytes());
                    }
                }
            }
        }
        return changed;
    }

    private static void assertRefused(Path jar, String why) {
        assertThatThrownBy(() -> of(jar))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("option --bundle is '" + jar + "': " + why);
    }

    @Test
    void withoutBundlesThoseOfThisReleaseAreThere() {
        assertThat(of().names())
                .containsExactly("first-fit", "spread", "pack", "balanced", "optimal", "gale-shapley", "rebalance");
        assertThat(of().usual()).isEqualTo("first-fit");
        assertThatThrownBy(() -> of().named("best-fit"))
                .hasMessage("option --policy has 'best-fit': allowed matching strategies are first-fit, spread, pack,"
                        + " balanced, optimal, gale-shapley, rebalance; --bundle adds those of a"
                        + " bundle");
    }

    @Test
    void theStrategyOfABundleIsMeantUnlessAnotherOneIsNamed() {
        assertThat(of(SPREAD).usual()).isEqualTo("spread");
        ChosenPolicy<MatchingStrategyFactory> spread = of(SPREAD).named("spread");
        assertThat(spread.bundle()).isEqualTo("io.berth.matching.spread");
        assertThat(spread.factory().getClass().getClassLoader())
                .isNotEqualTo(of().named("spread").factory().getClass().getClassLoader());
        assertThat(of(SPREAD).named("first-fit").factory().describe().name()).isEqualTo("first-fit");
    }

    @Test
    void ofSeveralOneMustBeNamed() {
        PoliciesOfKind<MatchingStrategyFactory> both = of(SPREAD, FIRST_FIT);
        assertThatThrownBy(both::usual)
                .hasMessage(
                        "option --policy is missing: the bundles have several matching strategies, spread, first-fit;"
                                + " name one");
        assertThat(both.named("spread").name()).isEqualTo("spread");
    }

    @Test
    void aFileThatIsNoBundleSaysWhatItLacks() throws Exception {
        Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
        assertThatThrownBy(() -> of(text)).hasMessageContaining("it cannot be read as a jar");
        assertThatThrownBy(() -> of(folder.resolve("nowhere.jar"))).hasMessageContaining("it cannot be read as a jar");
        assertRefused(
                jar(Map.of()),
                "it is no bundle, its manifest has no header Bundle-SymbolicName: build the jar with bnd");
        assertRefused(
                jar(Map.of("Bundle-SymbolicName", "com.example")),
                "its manifest has no capability io.berth.policy: annotate the factory with @Policy, and build the jar"
                        + " with bnd");
        assertRefused(
                jar(Map.of("Bundle-SymbolicName", "com.example", "Provide-Capability", "io.berth.policy")),
                "its manifest has no header Service-Component: annotate the factory with @Component, and build the jar"
                        + " with bnd");
    }

    @Test
    void aBundleWithoutAMatchingStrategySaysWhatItHas() {
        assertRefused(FIFO, "it has no matching strategy, only the distribution policy fifo");
        assertThat(PolicyJar.read(FIFO).factories())
                .hasSize(1)
                .allMatch(DistributionPolicyFactory.class::isInstance)
                .noneMatch(MatchingStrategyFactory.class::isInstance);
    }

    @Test
    void aBundleForOtherExtensionPointsIsRefused() throws Exception {
        String imported = "io.berth.spi.matching;version=\"";
        String range = new JarFile(SPREAD.toFile())
                .getManifest()
                .getMainAttributes()
                .getValue("Import-Package")
                .split(imported.replace(".", "\\."))[1]
                .split("\"")[0];
        String now = PackageVersions.of("io.berth.spi.matching").orElseThrow().toString();
        assertRefused(
                spreadWith("Import-Package", imported + range, imported + "[1.0,2)"),
                "it imports io.berth.spi.matching [1.0.0,2.0.0), and this release has " + now
                        + ": build it with the extension points of this release");
        assertRefused(
                spreadWith("Import-Package", "io.berth.spi.matching;", "io.berth.spi.other;"),
                "it imports io.berth.spi.other " + org.osgi.framework.VersionRange.valueOf(range)
                        + ", which the extension points do not have");
    }

    @Test
    void theVersionsAreThoseOfThePackages() {
        assertThat(Arrays.asList("io.berth.spi", "io.berth.spi.matching", "io.berth.spi.distribution"))
                .allSatisfy(name -> assertThat(PackageVersions.of(name)).isPresent());
        assertThat(PackageVersions.of("io.berth.spi.nowhere")).isEmpty();
    }
}

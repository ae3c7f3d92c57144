package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * The packages inside each bundle, including the tools: packages by feature, without cycles, small enough to read as a
 * whole, each described.
 */
public class RoomsTest {

    private static final Path BUNDLES = Path.of("..", "bundles");

    /** A package with more classes than this is too large. */
    private static final int MAX_CLASSES = 25;

    /** Packages that third parties compile against. Splitting one would break the extension points. */
    private static final List<String> EXPORTED_AND_LARGER = List.of("io.berth.dataflow.api");

    /** The lowest packages of a bundle: they use no other package of that bundle. */
    private static final List<String> LOWEST = List.of(
            "io.berth.core.resources.state",
            "io.berth.worker.slot",
            "io.berth.simulator.time",
            "io.berth.simulator.traces");

    private static final Map<String, JavaClasses> CLASSES = new TreeMap<>();

    @BeforeClass
    public static void readTheClassesOfAllBundles() throws IOException {
        try (Stream<Path> bundles = Files.list(BUNDLES)) {
            for (Path bundle : bundles.sorted().toList()) {
                Path classes = bundle.resolve("target/classes/io/berth");
                if (Files.isDirectory(classes)) {
                    CLASSES.put(bundle.getFileName().toString(), own(bundle, classes));
                }
            }
        }
    }

    /** Without what bnd embedded of the libraries. */
    private static JavaClasses own(Path bundle, Path classes) {
        boolean library = bundle.endsWith("policy-support") || bundle.endsWith("policy-rules");
        return new ClassFileImporter()
                .withImportOption(location -> library || !location.contains("/io/berth/policy/"))
                .importPath(classes);
    }

    @Test
    public void readsEveryBundle() throws IOException {
        List<String> described = new ArrayList<>();
        try (Stream<Path> bundles = Files.list(BUNDLES)) {
            bundles.filter(bundle -> Files.isDirectory(bundle.resolve("src/main/java")))
                    .forEach(bundle -> described.add(bundle.getFileName().toString()));
        }
        described.sort(Comparator.naturalOrder());
        assertEquals(described, List.copyOf(CLASSES.keySet()));
    }

    @Test
    public void thePackagesOfABundleHaveNoCycles() {
        CLASSES.forEach((bundle, classes) -> SlicesRuleDefinition.slices()
                .assignedFrom(new ByPackage())
                .as("packages of " + bundle)
                .should()
                .beFreeOfCycles()
                .check(classes));
    }

    @Test
    public void theLowestPackagesUseNoOtherPackageOfTheirBundle() {
        List<String> found = new ArrayList<>();
        CLASSES.forEach((bundle, classes) -> {
            String root = root(classes);
            for (String lowest : LOWEST) {
                if (!lowest.startsWith(root + ".")) {
                    continue;
                }
                found.add(lowest);
                ArchRuleDefinition.noClasses()
                        .that()
                        .resideInAPackage(lowest)
                        .should()
                        .dependOnClassesThat(DescribedPredicate.describe(
                                "are in other packages of " + bundle,
                                type -> (type.getPackageName().equals(root)
                                                || type.getPackageName().startsWith(root + "."))
                                        && !type.getPackageName().equals(lowest)))
                        .check(classes);
            }
        });
        assertEquals(LOWEST.stream().sorted().toList(), found.stream().sorted().toList());
    }

    @Test
    public void noPackageIsTooLarge() {
        Map<String, Integer> counts = new TreeMap<>();
        CLASSES.values()
                .forEach(classes -> classes.stream()
                        .filter(RoomsTest::counts)
                        .forEach(type -> counts.merge(type.getPackageName(), 1, Integer::sum)));
        counts.keySet().removeAll(EXPORTED_AND_LARGER);
        counts.values().removeIf(count -> count <= MAX_CLASSES);
        assertTrue("packages of more than " + MAX_CLASSES + " classes: " + counts, counts.isEmpty());
    }

    @Test
    public void eachPackageIsDescribed() throws IOException {
        List<Path> undescribed = new ArrayList<>();
        try (Stream<Path> bundles = Files.list(BUNDLES)) {
            for (Path bundle : bundles.sorted().toList()) {
                Path sources = bundle.resolve("src/main/java");
                if (Files.isDirectory(sources)) {
                    try (Stream<Path> folders = Files.walk(sources)) {
                        folders.filter(Files::isDirectory)
                                .filter(RoomsTest::holdsClasses)
                                .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
                                .forEach(undescribed::add);
                    }
                }
            }
        }
        assertTrue("packages without package-info.java: " + undescribed, undescribed.isEmpty());
    }

    private static boolean holdsClasses(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(".java"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String root(JavaClasses classes) {
        String root = classes.stream()
                .map(JavaClass::getPackageName)
                .min(Comparator.comparingInt(String::length))
                .orElseThrow();
        assertFalse("root package: " + root, root.equals("io.berth"));
        return root;
    }

    private static boolean counts(JavaClass type) {
        return type.isTopLevelClass()
                && !type.getPackageName().contains(".proto")
                && !type.getSimpleName().equals("package-info");
    }

    /** One slice for each package. Generated code follows the rules of its generator. */
    private static final class ByPackage implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            return name.startsWith("io.berth.") && !name.contains(".proto")
                    ? SliceIdentifier.of(name)
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "each package a slice";
        }
    }
}

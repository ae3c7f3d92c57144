package io.berth.itests;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.Assert.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * The layer table of the architecture, checked for the classes of all bundles. The build files check it for artifacts;
 * this test also sees what is reached through a transitive dependency.
 */
public class ArchitectureTest {

    /** Root package of a bundle, and the root packages of the bundles it may use. */
    private static final Map<String, List<String>> LAYERS = layers();

    /** Root packages whose classes may use only the JDK, the OSGi API, slf4j and their own layer. */
    private static final List<String> WITHOUT_LIBRARIES =
            List.of("io.berth.spi", "io.berth.dataflow.api", "io.berth.core.api");

    private static JavaClasses berth;

    @BeforeClass
    public static void readAllBundles() {
        berth = new ClassFileImporter()
                .importPackages("io.berth")
                .that(describe(
                        "shipped",
                        type -> !within(type.getPackageName(), "io.berth.itests")
                                && !within(type.getPackageName(), "io.berth.testcluster")));
    }

    private static Map<String, List<String>> layers() {
        List<String> none = List.of();
        List<String> spi = List.of("io.berth.spi");
        List<String> coreApi = List.of("io.berth.spi", "io.berth.core.api");
        Map<String, List<String>> layers = new TreeMap<>();
        layers.put("io.berth.spi", none);
        layers.put("io.berth.dataflow.api", none);
        layers.put("io.berth.core.api", List.of("io.berth.spi", "io.berth.policy.rules"));
        layers.put("io.berth.policy.rules", spi);
        layers.put("io.berth.testkit", List.of("io.berth.spi", "io.berth.policy.rules"));
        for (String role : List.of("security", "resources", "scheduler", "dispatcher")) {
            layers.put("io.berth.core." + role, coreApi);
        }
        layers.put(
                "io.berth.security.authority", List.of("io.berth.spi", "io.berth.core.api", "io.berth.core.security"));
        layers.put("io.berth.core.rpc", List.of("io.berth.spi", "io.berth.core.api", "io.berth.core.security"));
        layers.put("io.berth.core.policies", List.of("io.berth.spi", "io.berth.core.api", "io.berth.policy.rules"));
        layers.put("io.berth.policy.support", spi);
        for (String strategy : List.of(
                "matching.firstfit",
                "matching.spread",
                "matching.pack",
                "matching.rebalance",
                "matching.balanced",
                "matching.optimal",
                "matching.galeshapley",
                "distribution.fifo",
                "distribution.backfill",
                "distribution.priority",
                "distribution.fairshare",
                "distribution.drf",
                "distribution.capacity",
                "scaling.minimalincrease",
                "scaling.targetrate",
                "scaling.steps",
                "scaling.schedule")) {
            layers.put("io.berth." + strategy, List.of("io.berth.spi", "io.berth.policy.support"));
        }
        for (String policy : List.of("scaling.reactive", "backend.local", "backend.standalone")) {
            layers.put("io.berth." + policy, spi);
        }
        layers.put("io.berth.ha.file", spi);
        List<String> worker = List.of(
                "io.berth.spi",
                "io.berth.core.api",
                "io.berth.core.security",
                "io.berth.core.rpc",
                "io.berth.dataflow.api");
        layers.put("io.berth.worker", worker);
        layers.put("io.berth.runtime.dataflow", worker);
        layers.put("io.berth.runtime.process", coreApi);
        layers.put("io.berth.runtime.service", worker);
        layers.put("io.berth.client", none);
        layers.put(
                "io.berth.ops.cli",
                List.of(
                        "io.berth.spi",
                        "io.berth.core.api",
                        "io.berth.core.security",
                        "io.berth.security.authority",
                        "io.berth.client"));
        for (String ops : List.of("shell", "rest", "metrics", "health")) {
            layers.put("io.berth.ops." + ops, coreApi);
        }
        layers.put("io.berth.example.sequence", List.of("io.berth.dataflow.api"));
        layers.put("io.berth.example.service", List.of("io.berth.dataflow.api"));
        layers.put("io.berth.example.sort", List.of("io.berth.dataflow.api"));
        layers.put("io.berth.example.wordcount", List.of("io.berth.dataflow.api"));
        return layers;
    }

    private static boolean within(String packageName, String root) {
        return packageName.equals(root) || packageName.startsWith(root + ".");
    }

    @Test
    public void readsClassesOfTheExtensionPoints() {
        assertTrue(
                "classes read: " + berth.size(),
                berth.stream().anyMatch(type -> within(type.getPackageName(), "io.berth.spi")));
    }

    @Test
    public void everyClassBelongsToOneBundleOfTheTable() {
        check(classes()
                .should()
                .resideInAnyPackage(
                        LAYERS.keySet().stream().map(root -> root + "..").toArray(String[]::new)));
    }

    @Test
    public void eachLayerUsesOnlyWhatTheTableAllows() {
        LAYERS.forEach((root, allowed) -> {
            List<String> banned = new ArrayList<>();
            for (String other : LAYERS.keySet()) {
                if (!other.equals(root) && !allowed.contains(other)) {
                    banned.add(other + "..");
                }
            }
            check(noClasses()
                    .that()
                    .resideInAPackage(root + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(banned.toArray(String[]::new)));
        });
    }

    @Test
    public void whatThirdPartiesCompileAgainstNeedsNoLibrary() {
        for (String root : WITHOUT_LIBRARIES) {
            check(classes()
                    .that()
                    .resideInAPackage(root + "..")
                    .should()
                    .onlyDependOnClassesThat()
                    // Annotations of null are not there at run time, and a compiler does not need them either.
                    .resideInAnyPackage(
                            "java..", "io.berth..", "org.osgi..", "org.slf4j..", "org.jspecify.annotations", ""));
        }
    }

    @Test
    public void clocksAreInjected() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages("io.berth.core.api..", "io.berth.testkit..", "io.berth.client..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime"));
    }

    @Test
    public void nothingSleeps() {
        check(noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class, int.class));
    }

    @Test
    public void javaSerializationIsNeverUsed() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.ObjectInputStream")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.ObjectOutputStream"));
    }

    @Test
    public void namesSayWhatAClassIs() {
        check(noClasses()
                .should()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameStartingWith("Abstract")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils"));
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(berth.that(describe("written here", ArchitectureTest::written)));
    }

    /** Generated code follows the rules of its generator. */
    private static boolean written(JavaClass type) {
        return !type.getPackageName().contains(".proto");
    }
}

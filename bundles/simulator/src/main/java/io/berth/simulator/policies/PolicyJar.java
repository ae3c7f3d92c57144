package io.berth.simulator.policies;

import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.osgi.framework.Version;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The policies of a bundle without a framework: the components that its manifest names, in a class loader that sees the
 * bundle with what it embeds, the extension points, Java, and slf4j if the bundle imports it. Such a loader lives as long
 * as the tool.
 */
public final class PolicyJar {

    private static final List<Class<?>> SERVICES =
            List.of(MatchingStrategyFactory.class, DistributionPolicyFactory.class, ScalingPolicyFactory.class);

    private static final String EXTENSION_POINTS = "io.berth.spi";
    /** A framework of Berth has them, too. */
    private static final Set<String> LOGGING =
            Set.of("org.slf4j", "org.slf4j.event", "org.slf4j.helpers", "org.slf4j.spi");

    private final Path jar;
    private final String symbolicName;
    private final List<Object> factories;

    private PolicyJar(Path jar, String symbolicName, List<Object> factories) {
        this.jar = jar;
        this.symbolicName = symbolicName;
        this.factories = factories;
    }

    /** Symbolic name of the bundle. */
    public String symbolicName() {
        return symbolicName;
    }

    /** The factories of matching strategies, distribution policies and scaling policies. */
    public List<Object> factories() {
        return factories;
    }

    /**
     * Returns this bundle when it has a matching strategy.
     *
     * @throws IllegalArgumentException when it has only policies of another kind, which it names
     */
    public PolicyJar withStrategy() {
        return with(MatchingStrategyFactory.class, "matching strategy");
    }

    /**
     * Returns this bundle when it has a distribution policy.
     *
     * @throws IllegalArgumentException when it has only policies of another kind, which it names
     */
    public PolicyJar withDistributionPolicy() {
        return with(DistributionPolicyFactory.class, "distribution policy");
    }

    private PolicyJar with(Class<?> kind, String what) {
        List<String> others = new ArrayList<>();
        for (Object factory : factories) {
            if (kind.isInstance(factory)) {
                return this;
            } else if (factory instanceof MatchingStrategyFactory matching) {
                others.add("the matching strategy " + matching.describe().name());
            } else if (factory instanceof DistributionPolicyFactory distribution) {
                others.add("the distribution policy " + distribution.describe().name());
            } else if (factory instanceof ScalingPolicyFactory scaling) {
                others.add("the scaling policy " + scaling.describe().name());
            }
        }
        throw bad(jar, "it has no " + what + ", only " + String.join(", ", others));
    }

    /** Sees what a policy may import. */
    private static final class ExtensionPoints extends ClassLoader {

        private final ClassLoader tool = PolicyJar.class.getClassLoader();
        private final Set<String> logging;

        /** @param logging packages of slf4j that the bundle imports; it may embed its own instead */
        private ExtensionPoints(Set<String> logging) {
            super(ClassLoader.getPlatformClassLoader());
            this.logging = logging;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (isExtensionPoint(packageOf(name)) || logging.contains(packageOf(name))) {
                return tool.loadClass(name);
            }
            throw new ClassNotFoundException(name
                    + ": a policy sees its bundle, the extension points, Java, and slf4j if the bundle imports it");
        }

        private static String packageOf(String type) {
            return type.substring(0, Math.max(0, type.lastIndexOf('.')));
        }
    }

    /**
     * Reads a bundle and creates its factories of matching strategies, distribution policies and scaling policies.
     *
     * @throws IllegalArgumentException that says what is wrong with the jar
     */
    public static PolicyJar read(Path jar) {
        List<Object> factories = new ArrayList<>();
        String symbolicName;
        try (JarFile file = new JarFile(jar.toFile())) {
            Optional<Manifest> manifest = Optional.ofNullable(file.getManifest());
            symbolicName = header(manifest, "Bundle-SymbolicName")
                    .map(text -> text.split(";")[0].trim())
                    .orElseThrow(() -> bad(
                            jar,
                            "it is no bundle, its manifest has no header Bundle-SymbolicName: build the jar with bnd"));
            BundleClassPath content = BundleClassPath.of(jar, file, header(manifest, "Bundle-ClassPath"));
            List<ImportedPackage> imports = imports(jar, header(manifest, "Import-Package"));
            imports.forEach(one -> check(jar, one, content.packages()));
            if (header(manifest, "Provide-Capability")
                    .filter(text -> text.contains("io.berth.policy"))
                    .isEmpty()) {
                throw bad(
                        jar,
                        "its manifest has no capability io.berth.policy: annotate the factory with @Policy, and"
                                + " build the jar with bnd");
            }
            String components = header(manifest, "Service-Component")
                    .orElseThrow(() -> bad(
                            jar,
                            "its manifest has no header Service-Component: annotate the factory with @Component, and"
                                    + " build the jar with bnd"));
            Set<String> logging = imports.stream()
                    .map(ImportedPackage::name)
                    .filter(LOGGING::contains)
                    .collect(Collectors.toSet());
            URLClassLoader loader =
                    new URLClassLoader(content.urls().toArray(new URL[0]), new ExtensionPoints(logging));
            for (String component : components.split(",")) {
                factory(jar, file, component.trim(), loader).ifPresent(factories::add);
            }
        } catch (IOException unreadable) {
            throw bad(jar, "it cannot be read as a jar (" + unreadable.getMessage() + ")");
        }
        if (factories.isEmpty()) {
            throw bad(jar, "none of its components is a matching strategy, a distribution policy or a scaling policy");
        }
        return new PolicyJar(jar, symbolicName, factories);
    }

    private static List<ImportedPackage> imports(Path jar, Optional<String> header) {
        try {
            return ImportedPackage.of(header.orElse(""));
        } catch (IllegalArgumentException version) {
            throw bad(jar, "its header Import-Package cannot be read: " + version.getMessage());
        }
    }

    /** As a framework does before it resolves the bundle. */
    private static void check(Path jar, ImportedPackage imported, Set<String> content) {
        String name = imported.name();
        if (imported.optional()) {
            return;
        }
        if (!isExtensionPoint(name)) {
            if (!LOGGING.contains(name) && !content.contains(name) && !isOfJava(name)) {
                throw bad(
                        jar,
                        "it imports " + name + ", which neither Java, the extension points, slf4j nor the bundle itself"
                                + " has: embed it, or leave it out of Import-Package if it is not needed");
            }
            return;
        }
        String versions = imported.versions().map(range -> name + " " + range).orElse(name);
        Version version = PackageVersions.of(name)
                .orElseThrow(() -> bad(jar, "it imports " + versions + ", which the extension points do not have"));
        if (imported.versions().filter(range -> !range.includes(version)).isPresent()) {
            throw bad(
                    jar,
                    "it imports " + versions + ", and this release has " + version
                            + ": build it with the extension points of this release");
        }
    }

    private static boolean isExtensionPoint(String name) {
        return name.equals(EXTENSION_POINTS) || name.startsWith(EXTENSION_POINTS + ".");
    }

    /** Whether policies see it: not everything in a JDK is for them. */
    private static boolean isOfJava(String name) {
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        return ModuleLayer.boot().modules().stream()
                .filter(module -> module.getClassLoader() == null || module.getClassLoader() == platform)
                .anyMatch(module -> module.getPackages().contains(name) && module.isExported(name));
    }

    private static Optional<String> header(Optional<Manifest> manifest, String name) {
        return manifest.flatMap(
                present -> Optional.ofNullable(present.getMainAttributes().getValue(name)));
    }

    private static IllegalArgumentException bad(Path jar, String why) {
        return new IllegalArgumentException("option --bundle is '" + jar + "': " + why);
    }

    private static Optional<Object> factory(Path jar, JarFile file, String component, ClassLoader loader) {
        Document document = document(jar, file, component);
        Optional<Class<?>> service = SERVICES.stream()
                .filter(type -> named(document, "provide", "interface").contains(type.getName()))
                .findFirst();
        if (service.isEmpty()) {
            return Optional.empty();
        }
        String name = named(document, "implementation", "class").stream()
                .findFirst()
                .orElseThrow(() -> bad(jar, "component " + component + " names no class"));
        try {
            Object factory = Class.forName(name, true, loader)
                    .asSubclass(service.get())
                    .getDeclaredConstructor()
                    .newInstance();
            return Optional.of(factory);
        } catch (NoSuchMethodException | IllegalAccessException constructor) {
            throw bad(jar, "class " + name + " has no public constructor without parameters, so it needs a framework");
        } catch (ReflectiveOperationException | LinkageError | ClassCastException failure) {
            throw bad(jar, "class " + name + " cannot be created: " + failure);
        }
    }

    private static List<String> named(Document document, String element, String attribute) {
        NodeList elements = document.getElementsByTagName(element);
        List<String> names = new ArrayList<>();
        for (int nth = 0; nth < elements.getLength(); nth++) {
            if (elements.item(nth) instanceof Element found) {
                names.add(found.getAttribute(attribute));
            }
        }
        return names;
    }

    private static Document document(Path jar, JarFile file, String component) {
        ZipEntry entry = file.getEntry(component);
        if (entry == null) {
            throw bad(jar, "its manifest names component " + component + ", which it does not contain");
        }
        try (InputStream in = file.getInputStream(entry)) {
            DocumentBuilderFactory builders = DocumentBuilderFactory.newInstance();
            builders.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return builders.newDocumentBuilder().parse(in);
        } catch (IOException | SAXException | ParserConfigurationException invalid) {
            throw bad(jar, "component " + component + " cannot be read: " + invalid.getMessage());
        }
    }
}

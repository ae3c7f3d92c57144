import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Looks for libraries of others in what the build made: in the assembly with its worker, and in jars that hold libraries.
 * Writes a CycloneDX bill of materials of the assembly, and compares docs/dependencies.md with what it found.
 *
 * <p>The build of this module runs it with these arguments: the root of the checkout, the local Maven repository, the
 * version of Berth, the bill of materials to write, and {@code write} to write the page instead of comparing it.
 */
public final class Shipped {

    /** Jars that hold libraries in themselves, and what they are for readers of the page. */
    private static final Map<String, String> HOLDERS = new TreeMap<>(Map.of(
            "core-rpc/target/berth-core-rpc.jar", "in `core-rpc`",
            "ops-metrics/target/berth-ops-metrics.jar", "in `ops-metrics`",
            "runtime-dataflow/target/berth-runtime-dataflow.jar", "in `runtime-dataflow`",
            "ops-cli/target/berth-ops-cli-all.jar", "command line",
            "simulator/target/berth-simulator-all.jar", "simulator",
            "benchmark/target/berth-benchmark-all.jar", "benchmark",
            "scorecard/target/berth-scorecard-all.jar", "score card"));
    private static final String CONTROL_PLANE = "control plane";
    private static final String WORKER = "worker";
    private static final Set<String> IN_ASSEMBLY =
            Set.of(CONTROL_PLANE, WORKER, "in `core-rpc`", "in `ops-metrics`", "in `runtime-dataflow`");

    private record Library(String group, String name, String version) implements Comparable<Library> {

        @Override
        public int compareTo(Library other) {
            return toString().compareTo(other.toString());
        }

        boolean isOurs() {
            return group.startsWith("io.berth");
        }
    }

    private record Terms(String license, String support) {}

    private final Path root;
    private final Path repository;
    private final Map<Library, Set<String>> found = new TreeMap<>();
    private final Map<Library, String> hashes = new TreeMap<>();
    private final Map<String, Library> byHash = new TreeMap<>();
    private final Map<String, Terms> terms = new TreeMap<>();

    /** A page without what the formatter of Markdown decides: the width of columns and the length of lines. */
    private static String facts(String page) {
        return page.replaceAll("-{2,}", "-").replaceAll("\\s+", " ").replaceAll(":?-:?(?= *\\|)", "-").strip();
    }

    private Shipped(Path root, Path repository) {
        this.root = root;
        this.repository = repository;
    }

    public static void main(String[] arguments) throws Exception {
        Shipped shipped = new Shipped(Path.of(arguments[0]).toRealPath(), Path.of(arguments[1]).toRealPath());
        shipped.readTerms();
        shipped.lookIntoTheAssembly();
        for (Map.Entry<String, String> holder : HOLDERS.entrySet()) {
            shipped.lookInto(shipped.root.resolve("bundles").resolve(holder.getKey()), holder.getValue());
        }
        Files.writeString(Path.of(arguments[3]), shipped.billOfMaterials(arguments[2]));
        Path page = shipped.root.resolve("docs/dependencies.md");
        if (arguments.length > 4 && arguments[4].equals("write")) {
            Files.writeString(page, shipped.page());
        } else if (!Files.exists(page) || !facts(Files.readString(page)).equals(facts(shipped.page()))) {
            System.err.println("docs/dependencies.md does not list what is shipped. Write it with"
                    + " ./mvnw -Dmaven.test.skip verify -Dberth.dependencies=write and look at the difference.");
            System.exit(1);
        }
    }

    private void readTerms() throws IOException {
        for (String line : Files.readAllLines(root.resolve("karaf-assembly/src/main/tools/libraries.tsv"))) {
            if (!line.startsWith("#")) {
                String[] columns = line.split("\t");
                terms.put(columns[0], new Terms(columns[1], columns[2]));
            }
        }
    }

    private Terms termsOf(Library library) {
        for (String group = library.group(); !group.isEmpty(); group = group.replaceFirst("\\.?[^.]*$", "")) {
            if (terms.containsKey(group)) {
                return terms.get(group);
            }
        }
        throw new IllegalStateException("no license of " + library + ": add its group to libraries.tsv");
    }

    private void lookIntoTheAssembly() throws Exception {
        Path assembly = root.resolve("karaf-assembly/target/assembly");
        Path system = assembly.resolve("system");
        for (Path jar : jars(assembly, path -> path.startsWith(system))) {
            add(ofRepository(system.relativize(jar)), CONTROL_PLANE, jar);
        }
        Path worker = assembly.resolve("worker");
        for (Path jar : jars(assembly, path -> path.startsWith(assembly.resolve("lib")))) {
            add(ofPom(jar), CONTROL_PLANE, jar);
        }
        for (Path jar : jars(assembly, path -> path.startsWith(worker))) {
            Library same = byHash.get(hash(jar));
            if (same == null) {
                throw new IllegalStateException(jar + " is no file of system: what is it?");
            }
            add(same, WORKER, jar);
        }
    }

    private static List<Path> jars(Path folder, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar")).filter(wanted).sorted().toList();
        }
    }

    private void add(Library library, String where, Path jar) throws Exception {
        String hash = hash(jar);
        byHash.putIfAbsent(hash, library);
        if (!library.isOurs()) {
            hashes.putIfAbsent(library, hash);
            found.computeIfAbsent(library, none -> new TreeSet<>()).add(where);
        }
    }

    private static String hash(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    /** GROUP/NAME/VERSION/FILE, the group over several folders. */
    private static Library ofRepository(Path jar) {
        int names = jar.getNameCount();
        String group = jar.subpath(0, names - 3).toString().replace('/', '.');
        return new Library(group, jar.getName(names - 3).toString(), jar.getName(names - 2).toString());
    }

    /** By the description that Maven leaves in a jar, of which there is one for each jar that went into it. */
    private static Library ofPom(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            for (ZipEntry entry : file.stream().filter(one -> one.getName().endsWith("/pom.properties")).toList()) {
                Properties pom = new Properties();
                try (InputStream in = file.getInputStream(entry)) {
                    pom.load(in);
                }
                String name = pom.getProperty("artifactId");
                if (jar.getFileName().toString().startsWith(name + "-")) {
                    return new Library(pom.getProperty("groupId"), name, pom.getProperty("version"));
                }
            }
        }
        throw new IllegalStateException(jar + " does not tell what it is");
    }

    /** Which jars of the module's class path have a class in the jar. */
    private void lookInto(Path holder, String where) throws Exception {
        Set<String> classes = classes(holder);
        Path classPath = holder.resolveSibling("class-path.txt");
        for (String element : Files.readString(classPath).strip().split(System.getProperty("path.separator"))) {
            Path jar = Path.of(element).toRealPath();
            if (jar.startsWith(repository)) {
                Library library = ofRepository(repository.relativize(jar));
                if (!library.isOurs() && classes(jar).stream().anyMatch(classes::contains)) {
                    add(library, where, jar);
                }
            }
        }
    }

    private static Set<String> classes(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream().map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class") && !name.contains("-info.class"))
                    .filter(name -> !name.startsWith("META-INF/"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private String page() {
        StringBuilder text = new StringBuilder("""
                # Libraries of others

                What the assembly, its worker and the tools of a checkout ship, and where. The build reads this from
                the archives it made, and fails when this page says something else;
                `./mvnw -Dmaven.test.skip verify -Dberth.dependencies=write` writes it. License and end of support
                stand in `karaf-assembly/src/main/tools/libraries.tsv` and are kept by hand; they are no legal advice.
                What a library holds in itself, as `org.apache.felix.http.jetty` holds Jetty, is not listed. The
                same of the assembly alone, for scanners, in the format of CycloneDX:
                `karaf-assembly/target/berth-cyclonedx.json`.

                "in `core-rpc`", "in `ops-metrics`" and "in `runtime-dataflow`" are parts of that bundle's jar, private
                to it. "command line", "simulator", "benchmark" and "score card" are parts of that tool's jar.

                | group | library | version | license | end of support | shipped |
                |---|---|---|---|---|---|
                """);
        found.forEach((library, places) -> text.append("| ").append(String.join(" | ",
                library.group(), library.name(), library.version(), termsOf(library).license(),
                termsOf(library).support(), String.join(", ", places))).append(" |\n"));
        return text.toString();
    }

    private String billOfMaterials(String version) {
        List<String> components = new ArrayList<>();
        found.forEach((library, places) -> {
            if (places.stream().anyMatch(IN_ASSEMBLY::contains)) {
                components.add(component(library, "library", hashes.get(library)));
            }
        });
        byHash.forEach((hash, library) -> {
            if (library.isOurs()) {
                components.add(component(library, "library", hash));
            }
        });
        components.sort(null);
        return """
                {
                  "bomFormat": "CycloneDX",
                  "specVersion": "1.6",
                  "version": 1,
                  "metadata": {
                    "component": %s
                  },
                  "components": [
                    %s
                  ]
                }
                """.formatted(
                component(new Library("io.berth", "berth-karaf-assembly", version), "application", ""),
                String.join(",\n    ", components));
    }

    private String component(Library library, String type, String hash) {
        String purl = "pkg:maven/" + library.group() + "/" + library.name() + "@" + library.version();
        String license = library.isOurs() ? "Apache-2.0" : termsOf(library).license();
        String choice = license.contains(" ") ? "\"expression\": \"" + license + "\""
                : "\"license\": {\"id\": \"" + license + "\"}";
        return "{\"type\": \"" + type + "\", \"bom-ref\": \"" + purl
                + (hash.isEmpty() ? "" : "#" + hash.substring(0, 12))
                + "\", \"group\": \"" + library.group() + "\", \"name\": \"" + library.name() + "\", \"version\": \""
                + library.version() + "\""
                + (hash.isEmpty() ? "" : ", \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"" + hash + "\"}]")
                + ", \"licenses\": [{" + choice + "}], \"purl\": \"" + purl + "\"}";
    }
}

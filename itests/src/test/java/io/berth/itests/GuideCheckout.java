package io.berth.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The workplace of the reader of a guide: a home folder outside the reactor, with the control plane, and the part of a
 * Berth checkout that the guide uses. {@code ./berth} runs the command line of this build. {@code ./mvnw} stands for a
 * build that is already done, because this build contains it.
 */
final class GuideCheckout {

    private final Path checkout;
    private final Path home;
    private final Map<String, String> environment;

    /**
     * @param doneByThisBuild the arguments of {@code ./mvnw} in the guide
     * @param options of {@code mvn} that the reader does not type
     */
    GuideCheckout(Path folder, String address, Path controlPlane, String doneByThisBuild, String options)
            throws IOException {
        home = Files.createDirectories(folder.resolve("home"));
        checkout = Files.createDirectories(folder.resolve("checkout"));
        Files.createSymbolicLink(home.resolve("berth"), controlPlane);
        copy(Path.of("sample-policy"), checkout.resolve("itests").resolve("sample-policy"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        script(
                "berth",
                "exec '" + java + "' " + BerthContainer.COMPILER + " -jar '"
                        + BerthContainer.file("berth.cli").getAbsolutePath() + "' \"$@\"");
        script("mvnw", "[ \"$*\" = '" + doneByThisBuild + "' ] || { echo \"not done by this build: $*\"; exit 1; }");
        environment = maven(home, options);
        environment.put("BERTH_URL", address);
        environment.put("BERTH_COLUMNS", "1000");
    }

    /** What {@code mvn} of a reader needs to see the artifacts of this build, and to install none of its own. */
    static Map<String, String> maven(Path home, String options) {
        return new TreeMap<>(Map.of(
                "HOME",
                home.toString(),
                "JAVA_HOME",
                System.getProperty("java.home"),
                "PATH",
                Path.of(System.getProperty("berth.maven"), "bin") + ":" + System.getenv("PATH"),
                "MAVEN_OPTS",
                BerthContainer.COMPILER,
                "MAVEN_ARGS",
                options + " -Dmaven.repo.local=" + System.getProperty("berth.sample.repository")
                        + " -Dmaven.repo.local.tail=" + System.getProperty("berth.repository")));
    }

    /** Without the results of a build. */
    private static void copy(Path from, Path to) throws IOException {
        List<Path> sources;
        try (Stream<Path> tree = Files.walk(from)) {
            sources = tree.filter(path -> !path.startsWith(from.resolve("target")))
                    .toList();
        }
        for (Path source : sources) {
            Path target = to.resolve(from.relativize(source).toString());
            if (Files.isDirectory(source)) {
                Files.createDirectories(target);
            } else {
                Files.copy(source, target);
            }
        }
    }

    private void script(String name, String command) throws IOException {
        Path file = Files.writeString(checkout.resolve(name), "#!/bin/sh\n" + command + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    Path home() {
        return home;
    }

    /** Types the lines of a block, until one fails. */
    Outcome type(List<String> lines) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", "-e", "-c", String.join("\n", lines)));
        return Outcome.of(checkout, environment, "", command).well();
    }
}

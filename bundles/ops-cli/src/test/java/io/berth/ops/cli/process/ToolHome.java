package io.berth.ops.cli.process;

import io.berth.core.api.time.SystemClock;
import io.berth.ops.cli.Berth;
import io.berth.ops.cli.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** A folder where a stand-in replaces a tool that runs in its own process. The command line runs in this folder. */
final class ToolHome {

    private final Path home;
    private final Path directory;
    private final String name;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** Replaces the tool: writes its arguments to a file beside its jar and exits with code 1. */
    public static final class StandIn {

        private StandIn() {}

        public static void main(String[] arguments) throws IOException, URISyntaxException {
            Path jar = Path.of(StandIn.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Files.write(jar.resolveSibling("arguments"), List.of(arguments));
            System.exit(1);
        }
    }

    /** @param bundle the bundle of the tool, which is not built yet */
    ToolHome(Path home, String bundle) {
        this.home = home;
        directory = home.resolve("bundles/" + bundle + "/target");
        name = "berth-" + bundle + "-all.jar";
    }

    /** Builds the tool. */
    ToolHome built() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, StandIn.class.getName());
        String type = StandIn.class.getName().replace('.', '/') + ".class";
        Path jar = Files.createDirectories(directory).resolve(name);
        try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream from = getClass().getClassLoader().getResourceAsStream(type)) {
            to.putNextEntry(new ZipEntry(type));
            from.transferTo(to);
        }
        return this;
    }

    /** Runs the command line; returns its exit code. */
    int berth(String... arguments) {
        return Berth.run(
                new Terminal(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        0,
                        Map.of(),
                        home,
                        new SystemClock(),
                        new CountDownLatch(1)),
                arguments);
    }

    /** Returns the arguments that the tool received. */
    List<String> arguments() throws IOException {
        return Files.readAllLines(directory.resolve("arguments"));
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}

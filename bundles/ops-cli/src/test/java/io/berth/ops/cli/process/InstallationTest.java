package io.berth.ops.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.time.SystemClock;
import io.berth.ops.cli.console.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {

    @TempDir
    Path home;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Installation installation;

    @BeforeEach
    void open() {
        installation = new Installation(new Terminal(
                System.out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                0,
                Map.of(),
                home,
                new SystemClock(),
                new CountDownLatch(1)));
    }

    /** Builds an assembly of these files that was modified the given number of seconds after the current time. */
    private void build(int seconds, Map<String, String> files) throws Exception {
        Path top = Files.createTempDirectory(home, "build-");
        Map<String, String> all = new TreeMap<>(files);
        all.put("bin/karaf", "v" + seconds);
        for (Map.Entry<String, String> file : all.entrySet()) {
            Path path = top.resolve("berth").resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        Path target = Files.createDirectories(home.resolve("karaf-assembly/target"));
        Path archive = target.resolve("berth-1.tar.gz");
        Process tar = new ProcessBuilder("tar", "-czf", archive.toString(), "-C", top.toString(), "berth")
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        assertThat(archive.toFile().setLastModified(System.currentTimeMillis() + seconds * 1000L))
                .isTrue();
    }

    private File file(String name) {
        return installation.directory().resolve(name).toFile();
    }

    private void write(String name, String text) throws IOException {
        Path path = installation.directory().resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void aNewerAssemblyReplacesTheProgramAndKeepsDataAndEditedSettings() throws Exception {
        build(-10, Map.of("etc/a.cfg", "a1", "etc/b.cfg", "b1", "etc/gone.cfg", "g", "system/x-1.jar", "x1"));
        installation.update();
        write("data/berth/metadata/job", "a job");
        write("data/cache/bundle1", "the older program");
        write("etc/b.cfg", "mine");
        write("etc/own.cfg", "own");
        build(10, Map.of("etc/a.cfg", "a2", "etc/b.cfg", "b2", "system/x-2.jar", "x2"));

        installation.update();

        assertThat(file("bin/karaf")).hasContent("v10");
        assertThat(file("system/x-2.jar")).exists();
        assertThat(file("system/x-1.jar")).doesNotExist();
        assertThat(file("data/berth/metadata/job")).hasContent("a job");
        assertThat(file("data/cache")).doesNotExist();
        assertThat(file("etc/a.cfg")).hasContent("a2");
        assertThat(file("etc/b.cfg")).hasContent("mine");
        assertThat(file("etc/own.cfg")).hasContent("own");
        assertThat(file("etc/gone.cfg")).doesNotExist();
        assertThat(file("etc.shipped/b.cfg")).hasContent("b2");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("kept as edited")
                .contains(": b.cfg;");
    }

    @Test
    void anAssemblyThatWasBuiltBeforeTheOtherWasUnpackedReplacesItToo() throws Exception {
        build(-10, Map.of("etc/a.cfg", "a1"));
        installation.update();
        build(-20, Map.of("etc/a.cfg", "a2"));

        installation.update();

        assertThat(file("bin/karaf")).hasContent("v-20");
        assertThat(file("etc/a.cfg")).hasContent("a2");
    }

    @Test
    void theSameAssemblyIsUnpackedOnce() throws Exception {
        build(10, Map.of("etc/a.cfg", "a1"));
        installation.update();
        write("bin/karaf", "as it is");

        installation.update();

        assertThat(file("bin/karaf")).hasContent("as it is");
    }

    @Test
    void changesByKarafItselfDoNotCountAsEdits() throws Exception {
        build(-10, Map.of("etc/config.properties", "a = 1\n# x", "etc/b.cfg", "b1"));
        installation.update();
        write(
                "etc/config.properties",
                "a = 1\n# x\n\n#\n# Generated command shutdown\n#\nkaraf.shutdown.command = ba1948f1\n");
        write("etc/b.cfg", "b1\n");
        build(10, Map.of("etc/config.properties", "a = 2", "etc/b.cfg", "b2"));

        installation.update();

        assertThat(file("etc/config.properties")).hasContent("a = 2");
        assertThat(file("etc/b.cfg")).hasContent("b2");
        assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("kept as edited");
    }

    @Test
    void settingsOfBerthAreKeptEvenWhenTheShippedOnesAreUnknown() throws Exception {
        write("bin/karaf", "0.1.0");
        write("etc/io.berth.core.rpc.cfg", "# port = 7077\nport = 7078\n");
        write("etc/io.berth.ops.rest.cfg", "# a key of 0.1.0\n# body.ms = 1\n");
        write("etc/users.properties", "operator = secret");
        build(
                10,
                Map.of(
                        "etc/io.berth.core.rpc.cfg", "# port = 7077\n# host = 127.0.0.1\n",
                        "etc/io.berth.ops.rest.cfg", "# body.timeout.ms = 1\n",
                        "etc/users.properties", "berth = berth"));

        installation.update();

        assertThat(file("etc/io.berth.core.rpc.cfg")).hasContent("# port = 7077\nport = 7078\n");
        assertThat(file("etc/io.berth.ops.rest.cfg")).hasContent("# body.timeout.ms = 1\n");
        assertThat(file("etc/users.properties")).hasContent("berth = berth");
        assertThat(file("etc.before/users.properties")).hasContent("operator = secret");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("all are in " + file("etc.before"))
                .contains(": io.berth.core.rpc.cfg;");
    }

    @Test
    void savedSettingsSurviveAnInterruptedUpdate() throws Exception {
        write("bin/karaf", "0.1.0");
        write("etc.before/io.berth.core.rpc.cfg", "port = 7078\n");
        write("etc/io.berth.core.rpc.cfg", "# half of");
        build(10, Map.of("etc/io.berth.core.rpc.cfg", "# port = 7077\n"));

        installation.update();

        assertThat(file("etc/io.berth.core.rpc.cfg")).hasContent("port = 7078\n");
    }

    @Test
    void anInterruptedUpdateIsRepeated() throws Exception {
        build(-10, Map.of("etc/a.cfg", "a1", "etc/b.cfg", "b1"));
        installation.update();
        write("etc/b.cfg", "mine");
        write("data/berth/job", "a job");
        Files.delete(installation.directory().resolve("bin/karaf"));
        build(10, Map.of("etc/a.cfg", "a2", "etc/b.cfg", "b1"));

        installation.update();

        assertThat(file("bin/karaf")).hasContent("v10");
        assertThat(file("etc/a.cfg")).hasContent("a2");
        assertThat(file("etc/b.cfg")).hasContent("mine");
        assertThat(file("data/berth/job")).hasContent("a job");
    }

    @Test
    void anUnreadableAssemblyChangesNothing() throws Exception {
        build(-10, Map.of("etc/a.cfg", "a1"));
        installation.update();
        Path archive = home.resolve("karaf-assembly/target/berth-1.tar.gz");
        Files.writeString(archive, "no archive");
        assertThat(archive.toFile().setLastModified(System.currentTimeMillis() + 10_000))
                .isTrue();

        assertThatThrownBy(installation::update).hasMessageContaining("unpacking");

        assertThat(file("bin/karaf")).hasContent("v-10");
        assertThat(file("etc/a.cfg")).hasContent("a1");
    }

    @Test
    void aProcessThatReusesTheIdOfAnEarlierControlPlaneIsIgnored() throws Exception {
        write("karaf.pid", Long.toString(ProcessHandle.current().pid()));

        assertThat(installation.process()).isEmpty();
    }

    @Test
    void theControlPlaneOfThisDirectoryIsFound() throws Exception {
        Files.createDirectories(installation.directory());
        Process karaf = new ProcessBuilder(
                        "sh", "-c", "read -r word", "karaf", "-Dkaraf.base=" + installation.directory())
                .start();
        try {
            write("karaf.pid", karaf.pid() + "\n");

            assertThat(installation.process()).contains(karaf.toHandle());
        } finally {
            karaf.destroy();
        }
    }
}

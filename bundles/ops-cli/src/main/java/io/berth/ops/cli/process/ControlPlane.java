package io.berth.ops.cli.process;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A control plane on this machine, unpacked from the assembly into a directory. Closing it ends its process and all
 * its workers within a bound. A guard process ends it when this process is killed.
 */
final class ControlPlane implements AutoCloseable {

    private static final long STOP_MILLIS = 20_000;
    private static final long WORKERS_STOP_MILLIS = 5_000;
    private static final long TURN_MILLIS = 250;
    private static final long TOLD_MILLIS = 5_000;
    /** Program, caches of the framework and logs. */
    private static final long NEEDED_MEBIBYTES = 150;

    private final Terminal terminal;
    private final Path directory;
    private Optional<Process> process = Optional.empty();
    private Optional<Process> guard = Optional.empty();

    ControlPlane(Terminal terminal, Path directory) {
        this.terminal = terminal;
        this.directory = directory;
    }

    /** The archive that the build made. */
    static Path assembly(Path home) {
        return newest(home.resolve("karaf-assembly").resolve("target"), "berth-.*\\.tar\\.gz")
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.BAD_INPUT,
                        "no assembly in " + home.resolve("karaf-assembly/target") + ": build it with ./mvnw package"));
    }

    static Optional<Path> newest(Path directory, String name) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches(name))
                    .max(Comparator.comparing((Path file) -> file.toFile().lastModified()));
        } catch (IOException missing) {
            return Optional.empty();
        }
    }

    /** The process that runs in a directory. The process id alone is not enough, because it may have been reused. */
    static Optional<ProcessHandle> processIn(Path directory) {
        return named(directory)
                .filter(process -> process.info().arguments().stream()
                        .flatMap(Stream::of)
                        .anyMatch(argument -> isBase(argument, directory)));
    }

    /** As {@link #processIn}, but also true for a process that shows no arguments, such as one of another user. */
    static boolean mayRunIn(Path directory) {
        return named(directory)
                .filter(process -> process.info().arguments().isEmpty()
                        || processIn(directory).isPresent())
                .isPresent();
    }

    private static Optional<ProcessHandle> named(Path directory) {
        try {
            long pid = Long.parseLong(
                    Files.readString(directory.resolve("karaf.pid")).strip());
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        } catch (IOException | NumberFormatException none) {
            return Optional.empty();
        }
    }

    private static boolean isBase(String argument, Path directory) {
        String base = "-Dkaraf.base=";
        try {
            return argument.startsWith(base) && Files.isSameFile(Path.of(argument.substring(base.length())), directory);
        } catch (IOException gone) {
            return false;
        }
    }

    /** Unpacks the assembly into the directory, which is created or must be empty. */
    void unpack() {
        Path archive = assembly(terminal.home());
        try {
            Files.createDirectories(directory);
            if (!room().isEmpty()) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "the disk is full" + room() + ": remove something, or work on a checkout on another disk");
            }
            Process tar = new ProcessBuilder(
                            "tar", "-xzf", archive.toString(), "-C", directory.toString(), "--strip-components=1")
                    .redirectErrorStream(true)
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .start();
            String said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (tar.waitFor() != 0) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "unpacking " + archive + " into " + directory + " failed: " + firstLine(said) + room());
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("unpacking " + archive + " failed", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted");
        }
    }

    /** How much disk space is free, as an explanation; empty when there is enough. */
    private String room() {
        long free = directory.toFile().getUsableSpace() >> 20;
        return free < NEEDED_MEBIBYTES
                ? "; " + free + " MiB are free in " + directory + ", and about " + NEEDED_MEBIBYTES + " MiB are needed"
                : "";
    }

    /** When the disk is full, tar prints a line for each file. */
    private static String firstLine(String said) {
        return said.lines().findFirst().orElse("tar says nothing").strip();
    }

    Path directory() {
        return directory;
    }

    Path log() {
        return directory.resolve("data").resolve("log").resolve("console.log");
    }

    void put(String file, String key, Object value) {
        try {
            Settings.put(directory.resolve("etc").resolve(file), key, value);
        } catch (IOException failure) {
            throw new UncheckedIOException("etc/" + file + " cannot be written", failure);
        }
    }

    /** Free ports, so that it can run beside any other control plane on this machine. */
    Ports useFreePorts() {
        return use(Ports.free());
    }

    /** The usual ports, or free ones in the place of those that other programs use. */
    Ports useUsualPorts() {
        return use(Ports.usual().orElseGet(Ports::free));
    }

    /**
     * The ports that the configuration names.
     *
     * @throws CommandFailure when other programs listen at some of them: such a program would be taken for this
     *     control plane
     */
    Ports requireFreePorts() {
        List<String> taken = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (PortSetting setting : PortSetting.values()) {
            int port = configured(setting);
            ports.add(port);
            if (!isFree(port)) {
                taken.add("  " + port + " for " + setting.use + ", " + setting.key + " in " + file(setting));
            }
        }
        if (!taken.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    "taken by other programs:\n" + String.join("\n", taken)
                            + "\nend those programs, set other ports there, or let --free-ports choose and set them");
        }
        return Ports.of(ports);
    }

    /** Replaces each port that another program uses by a free one. */
    void replaceTakenPorts() {
        List<Integer> free = Ports.free().list();
        for (PortSetting setting : PortSetting.values()) {
            if (!isFree(configured(setting))) {
                put(setting, free.get(setting.ordinal()));
            }
        }
    }

    void put(PortSetting setting, int port) {
        put(setting.file, setting.key, port);
    }

    private Path file(PortSetting setting) {
        return directory.resolve("etc").resolve(setting.file);
    }

    private int configured(PortSetting setting) {
        try {
            return Settings.get(file(setting), setting.key)
                    .map(Integer::parseInt)
                    .orElse(setting.usual);
        } catch (IOException | NumberFormatException failure) {
            throw new CommandFailure(ExitCode.BAD_INPUT, setting.key + " in " + file(setting) + " is no port");
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private Ports use(Ports ports) {
        put("org.apache.karaf.management.cfg", "rmiRegistryHost", "127.0.0.1");
        put("org.apache.karaf.management.cfg", "rmiServerHost", "127.0.0.1");
        for (PortSetting setting : PortSetting.values()) {
            put(setting, ports.list().get(setting.ordinal()));
        }
        return ports;
    }

    /** Prints where the control plane is reached, and how it is stopped. */
    void printAddresses(PrintStream out, Ports ports, String stop) {
        out.println("  REST     " + ports.url() + "/v1   (export BERTH_URL=" + ports.url() + ")");
        out.println("  workers  ./berth worker --master 127.0.0.1:" + ports.rpc() + " --cpu 1 --memory 256m");
        out.println("  shell    ssh -p " + ports.ssh() + " berth@127.0.0.1   (password berth)");
        if (Files.exists(adminToken())) {
            out.println("  token    export BERTH_TOKEN_FILE=" + adminToken());
        }
        out.println("  logs     " + directory.resolve("data/log/karaf.log"));
        out.println("  stop     " + stop);
        out.flush();
    }

    /** Where a port is configured; in the order of {@link Ports}. */
    enum PortSetting {
        HTTP("REST", "org.apache.felix.http.cfg", "org.osgi.service.http.port", 8181),
        SSH("the shell", "org.apache.karaf.shell.cfg", "sshPort", 8101),
        RMI_REGISTRY("JMX", "org.apache.karaf.management.cfg", "rmiRegistryPort", 1099),
        RMI_SERVER("JMX", "org.apache.karaf.management.cfg", "rmiServerPort", 44444),
        RPC("workers", "io.berth.core.rpc.cfg", "port", 7077);

        private final String use;
        private final String file;
        private final String key;
        private final int usual;

        PortSetting(String use, String file, String key, int usual) {
            this.use = use;
            this.file = file;
            this.key = key;
            this.usual = usual;
        }
    }

    /** Ports on the loopback interface. */
    record Ports(int http, int ssh, int rmiRegistry, int rmiServer, int rpc) {

        String url() {
            return "http://127.0.0.1:" + http;
        }

        private List<Integer> list() {
            return List.of(http, ssh, rmiRegistry, rmiServer, rpc);
        }

        private static Ports of(List<Integer> ports) {
            return new Ports(ports.get(0), ports.get(1), ports.get(2), ports.get(3), ports.get(4));
        }

        private static Ports free() {
            return bound(new int[PortSetting.values().length])
                    .orElseThrow(() -> new IllegalStateException("no free port on the loopback interface"));
        }

        private static Optional<Ports> usual() {
            return bound(Stream.of(PortSetting.values())
                    .mapToInt(setting -> setting.usual)
                    .toArray());
        }

        private static void close(ServerSocket socket) {
            try {
                socket.close();
            } catch (IOException failure) {
                throw new UncheckedIOException("a port cannot be given back", failure);
            }
        }

        /** Ports that can be bound now, all at once; 0 means any. */
        private static Optional<Ports> bound(int... wanted) {
            List<ServerSocket> sockets = new ArrayList<>();
            try {
                for (int port : wanted) {
                    sockets.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
                }
                return Optional.of(
                        of(sockets.stream().map(ServerSocket::getLocalPort).toList()));
            } catch (IOException taken) {
                return Optional.empty();
            } finally {
                sockets.forEach(Ports::close);
            }
        }
    }

    /**
     * Starts the process. Its output goes to {@link #log}.
     *
     * @param ownSession whether it continues when the terminal of this process closes
     */
    void start(boolean ownSession) {
        List<String> command = new ArrayList<>();
        if (ownSession) {
            find("setsid").ifPresent(setsid -> command.add(setsid.toString()));
        }
        command.add(directory.resolve("bin").resolve("karaf").toString());
        command.add("server");
        try {
            Files.createDirectories(log().getParent());
            Process started = environment(new ProcessBuilder(command))
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectErrorStream(true)
                    .redirectOutput(log().toFile())
                    .start();
            process = Optional.of(started);
            // Ends the control plane when this process dies without a message to the guard.
            guard = Optional.of(new ProcessBuilder(
                            "sh",
                            "-c",
                            "trap '' INT TERM HUP; read -r word; [ \"$word\" = done ] && exit 0; kill \"$1\";"
                                    + " n=0; while kill -0 \"$1\" && [ $n -lt 20 ]; do sleep 1; n=$((n+1)); done;"
                                    + " kill -9 \"$1\"",
                            "berth-guard",
                            Long.toString(started.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start());
        } catch (IOException failure) {
            throw new UncheckedIOException("the control plane in " + directory + " cannot be started", failure);
        }
    }

    /** The environment of the control plane: this Java, and no setting of another Karaf. */
    ProcessBuilder environment(ProcessBuilder builder) {
        builder.environment().keySet().removeIf(name -> name.startsWith("KARAF_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("KARAF_EXEC", "exec");
        return builder;
    }

    private Optional<Path> find(String program) {
        return terminal.variable("PATH").stream()
                .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                .map(part -> Path.of(part).resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Its REST interface, with the token that it made for its admin, if it did. */
    Api api(Ports ports) {
        return new Api(ports.url(), () -> Optional.of(adminToken()).filter(Files::exists));
    }

    private Path adminToken() {
        return directory.resolve("data").resolve("berth").resolve("admin.token");
    }

    /**
     * Waits until the control plane reports it.
     *
     * @param what it waits for, for people
     */
    void await(Api api, String what, Predicate<JsonNode> ready, long timeoutMillis) {
        long start = terminal.clock().millis();
        long told = start;
        while (true) {
            String state;
            try {
                JsonNode status = api.get("status");
                if (ready.test(status)) {
                    return;
                }
                state = "ResourceManager " + status.path("resourceManager").asText() + ", workers "
                        + status.path("workers").asInt();
            } catch (CommandFailure notYet) {
                if (notYet.exitCode() == ExitCode.BAD_INPUT) {
                    // It serves, and its users have tokens that this command does not have.
                    terminal.progress("the control plane answers, but does not tell its state: " + notYet.getMessage());
                    return;
                }
                state = "starting" + room();
            }
            long now = terminal.clock().millis();
            if (process.isPresent() && !process.get().isAlive()) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "the control plane ended while waiting for " + what + ": see its logs" + room());
            }
            if (now - start > timeoutMillis) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "no " + what + " after " + timeoutMillis / 1000 + " s (" + state + "): see its logs" + room());
            }
            if (now - told >= TOLD_MILLIS) {
                told = now;
                terminal.progress("waiting for " + what + ", " + (now - start) / 1000 + " s (" + state + ")");
            }
            if (terminal.pause(TURN_MILLIS)) {
                throw new CommandFailure(ExitCode.FAILED, "stopped");
            }
        }
    }

    /** Leaves the process running. */
    void release() {
        dismissGuard();
        process = Optional.empty();
    }

    private void dismissGuard() {
        guard.ifPresent(watching -> {
            try (OutputStream word = watching.getOutputStream()) {
                word.write("done\n".getBytes(StandardCharsets.UTF_8));
            } catch (IOException alreadyGone) {
                // The guard has ended the control plane, or was killed.
                watching.destroyForcibly();
            }
        });
        guard = Optional.empty();
    }

    /** Ends what {@link #start} started. Does nothing the second time. */
    @Override
    public void close() {
        if (process.isEmpty()) {
            return;
        }
        terminal.progress("stopping the control plane and its workers");
        Process running = process.get();
        List<ProcessHandle> workers = running.descendants().toList();
        running.destroy();
        if (!ends(running.toHandle(), STOP_MILLIS)) {
            terminal.progress("the control plane does not end: killing it");
            running.destroyForcibly();
            ends(running.toHandle(), STOP_MILLIS);
        }
        for (ProcessHandle worker : workers) {
            if (!ends(worker, WORKERS_STOP_MILLIS)) {
                worker.destroyForcibly();
                ends(worker, WORKERS_STOP_MILLIS);
            }
        }
        dismissGuard();
        process = Optional.empty();
    }

    private static boolean ends(ProcessHandle handle, long millis) {
        try {
            handle.onExit().get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return !handle.isAlive();
        } catch (ExecutionException failure) {
            return !handle.isAlive();
        }
    }

    /** Deletes the directory and its content. */
    static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(directory + " cannot be deleted", failure);
        }
    }
}

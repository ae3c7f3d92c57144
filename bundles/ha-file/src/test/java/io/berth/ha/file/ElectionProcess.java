package io.berth.ha.file;

import io.berth.spi.ha.LeaderElection.Contender;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Another process that competes for a role and prints each event as a line. */
final class ElectionProcess implements AutoCloseable {

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private ElectionProcess(Process process) {
        this.process = process;
        reader = new Thread(this::read, "reader of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a process with a long lease, so that no other one takes over while it is paused. */
    static ElectionProcess start(Path directory, String role, String address) throws IOException {
        return start(directory, role, address, 600_000);
    }

    static ElectionProcess start(Path directory, String role, String address, long leaseMillis) throws IOException {
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new ElectionProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        classes,
                        ElectionProcess.class.getName(),
                        directory.toString(),
                        role,
                        address,
                        Long.toString(leaseMillis))
                .redirectErrorStream(true)
                .start());
    }

    public static void main(String[] arguments) throws IOException {
        FileLeaderElection election = FileLeaderElection.open(
                Path.of(arguments[0]), InstantSource.system(), 10, Long.parseLong(arguments[3]));
        election.compete(arguments[1], arguments[2], new Contender() {
            @Override
            public void granted(long epoch) {
                System.out.println("granted " + epoch);
            }

            @Override
            public void revoked(String cause) {
                System.out.println("revoked " + cause);
            }
        });
        election.follow(
                arguments[1],
                leader -> System.out.println(
                        "leader " + leader.map(known -> known.address()).orElse("none")));
        System.out.println("ready");
        System.in.read();
        election.close();
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException killed) {
            lines.add("output ended");
        }
    }

    /** The lines so far. */
    List<String> lines() {
        return lines;
    }

    /** Epochs that it was granted. */
    List<Long> epochs() {
        return lines.stream()
                .filter(line -> line.startsWith("granted "))
                .map(line -> Long.valueOf(line.substring("granted ".length())))
                .toList();
    }

    boolean said(String start) {
        return lines.stream().anyMatch(line -> line.startsWith(start));
    }

    /** STOP, CONT or KILL. */
    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException("no signal " + name + " to " + process.pid());
        }
        if (name.equals("KILL")) {
            process.waitFor();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}

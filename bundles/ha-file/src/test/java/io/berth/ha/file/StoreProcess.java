package io.berth.ha.file;

import io.berth.spi.ha.WriteResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Another process that opens a store. It prints "open", or why it failed, and then writes until it is killed, or just
 * holds the store.
 */
final class StoreProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    private StoreProcess(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static StoreProcess start(Path directory, long epoch, String mode) throws IOException {
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m", "-cp", classes));
        command.addAll(List.of(StoreProcess.class.getName(), directory.toString(), Long.toString(epoch), mode));
        return new StoreProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    public static void main(String[] arguments) throws IOException {
        try (FileMetadataStore store = FileMetadataStore.open(
                Path.of(arguments[0]), Long.parseLong(arguments[1]), new FileMetadataStore.Limits(1_048_576, 100))) {
            System.out.println("open");
            long version = store.read("counter").map(record -> record.version()).orElse(0L);
            for (long count = 1; arguments[2].equals("write"); count++) {
                byte[] value = (count + ";").repeat(500).getBytes(StandardCharsets.US_ASCII);
                version = ((WriteResult.Written) store.write("counter", version, value)).version();
                System.out.println(count);
            }
            System.in.read();
        } catch (IOException refused) {
            System.out.println(refused);
        }
    }

    /** The next line, or null at the end. */
    String line() throws IOException {
        return output.readLine();
    }

    /** STOP or CONT. */
    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException("no signal " + name + " to " + process.pid());
        }
    }

    /** The kernel ends the process at once: nothing is closed or flushed. */
    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}

package io.berth.itests;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What a JVM of this machine uses, measured from outside: only on Linux, with the tools of a JDK. */
final class ProcessSample {

    private ProcessSample() {}

    /** Threads and open files; heap and metaspace in KiB after a garbage collection, without newer objects. */
    static Map<String, Double> of(ProcessHandle process) throws Exception {
        String pid = Long.toString(process.pid());
        run("jcmd", pid, "GC.run");
        run("jcmd", pid, "GC.run");
        List<String> jstat = run("jstat", "-gc", pid);
        String[] names = jstat.get(0).strip().split("\\s+");
        String[] values = jstat.get(1).strip().split("\\s+");
        Map<String, Double> used = new TreeMap<>();
        for (int i = 0; i < names.length; i++) {
            if (names[i].matches("S0U|S1U|OU|MU")) {
                used.put(names[i], Double.valueOf(values[i].equals("-") ? "0" : values[i]));
            }
        }
        Map<String, Double> sample = new TreeMap<>();
        sample.put("heap KiB", used.get("S0U") + used.get("S1U") + used.get("OU"));
        sample.put("metaspace KiB", used.get("MU"));
        sample.put("threads", (double) entries(Path.of("/proc", pid, "task")));
        sample.put("fds", (double) entries(Path.of("/proc", pid, "fd")));
        return sample;
    }

    static long entries(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.count();
        }
    }

    private static List<String> run(String tool, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", tool).toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines;
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            lines = reader.lines().toList();
        }
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(command + " failed: " + lines);
        }
        return lines;
    }
}

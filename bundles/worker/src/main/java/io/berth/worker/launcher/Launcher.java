package io.berth.worker.launcher;

import io.berth.worker.launcher.Arguments.BadArgument;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/**
 * Starts a worker process: an embedded framework that starts what is in the folder {@code bundles} of the worker's home.
 * What is in {@code libraries} is installed and not started: the worker uses its classes, and the services that it would
 * offer belong to the control plane. The launcher offers four services to the worker bundle, told apart by the property
 * {@code berth.worker.role}: an {@link IntConsumer}, {@code exit}, that ends the process with an exit code, a
 * {@link Runnable}, {@code started}, that says that the worker is up, a {@link Function}, {@code secrets}, from a name to
 * its secret, and a {@link Consumer}, {@code log}, that redirects the lines of the logging library. Whatever goes wrong, the process ends.
 */
public final class Launcher {

    static final int EXIT_FAILED = 1;
    static final int EXIT_BAD_ARGUMENTS = 2;

    private static final long START_MILLIS = 60_000;
    private static final long STOP_MILLIS = 5_000;
    private static final String LOCK = "lock";
    private static final String ROLE = "berth.worker.role";

    private final Arguments arguments;
    private final Path home;
    private final Path work;
    /** Not a framework property: every bundle may list those. */
    private final SortedMap<String, String> secrets;

    private final LogLines lines;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    private Launcher(Arguments arguments, Path home, Path work, SortedMap<String, String> secrets, LogLines lines) {
        this.arguments = arguments;
        this.home = home;
        this.work = work;
        this.secrets = secrets;
        this.lines = lines;
    }

    /** Runs a worker; does not return. */
    public static void main(String[] words) {
        // Framework threads would keep the process alive after its main thread has ended.
        System.exit(run(List.of(words)));
    }

    private static int run(List<String> words) {
        if (Arguments.isHelpRequested(words)) {
            System.out.print(Arguments.HELP);
            return 0;
        }
        Arguments arguments;
        try {
            arguments = Arguments.parse(words, Runtime.getRuntime().availableProcessors());
        } catch (BadArgument bad) {
            System.err.println("berth-worker: " + bad.getMessage());
            return EXIT_BAD_ARGUMENTS;
        }
        LogLines lines = configureLogging();
        try {
            SortedMap<String, String> secrets = arguments.secrets().isPresent()
                    ? Secrets.read(Path.of(arguments.secrets().get()))
                    : new TreeMap<>();
            Path work = arguments.work().isPresent()
                    ? Files.createDirectories(Path.of(arguments.work().get()).toAbsolutePath())
                    : Files.createTempDirectory("berth-worker-");
            try (FileChannel lock = taken(work)) {
                return new Launcher(arguments, home(), work, secrets, lines).run();
            }
        } catch (IOException | URISyntaxException | RuntimeException failure) {
            System.err.println("berth-worker: the worker did not start: " + failure);
            return EXIT_FAILED;
        }
    }

    /**
     * Locks the folder for this process. A stopped process that continues would overwrite the files of its successor.
     */
    private static FileChannel taken(Path work) throws IOException {
        FileChannel lock = FileChannel.open(work.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (lock.tryLock() == null) {
            lock.close();
            throw new IOException("folder " + work + " is in use by another worker process: end that, or name another"
                    + " folder with --work");
        }
        return lock;
    }

    /** The folder that holds lib, with this jar, and bundles. */
    private static Path home() throws URISyntaxException {
        Path jar = Path.of(Launcher.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return jar.resolve("../..").toAbsolutePath().normalize();
    }

    private static LogLines configureLogging() {
        Map<String, String> defaults = new TreeMap<>();
        defaults.put("org.slf4j.simpleLogger.showDateTime", "true");
        defaults.put("org.slf4j.simpleLogger.dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
        defaults.put("org.slf4j.simpleLogger.showShortLogName", "true");
        defaults.forEach((key, value) -> System.getProperties().putIfAbsent(key, value));
        return LogLines.install();
    }

    private int run() {
        int code = EXIT_FAILED;
        @Nullable Framework framework = null;
        try {
            framework = framework();
            try (Watchdog watchdog = new Watchdog("the start of the worker", START_MILLIS, EXIT_FAILED)) {
                framework.init();
                stopOnSignal(framework);
                startWorker(framework.getBundleContext(), watchdog);
                framework.start();
                startBundles(framework.getBundleContext());
                code = exit.get();
            }
        } catch (Exception failure) {
            System.err.println("berth-worker: the worker did not start: " + failure.getMessage());
            failure.printStackTrace();
        }
        stop(framework, code);
        return code;
    }

    private Framework framework() {
        FrameworkFactory factory = ServiceLoader.load(FrameworkFactory.class)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no OSGi framework in " + home.resolve("lib")));
        return factory.newFramework(configuration());
    }

    private Map<String, String> configuration() {
        Map<String, String> configuration = new TreeMap<>();
        configuration.put(Constants.FRAMEWORK_STORAGE, work.resolve("framework").toString());
        configuration.put(Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT);
        configuration.put(Constants.FRAMEWORK_BSNVERSION, Constants.FRAMEWORK_BSNVERSION_MULTIPLE);
        // Netty uses it to find direct memory.
        configuration.put(Constants.FRAMEWORK_BOOTDELEGATION, "sun.misc");
        configuration.put(Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, loggingPackages());
        configuration.put("berth.worker.id", arguments.id().orElseGet(Launcher::generatedId));
        configuration.put("berth.worker.master", String.join(",", arguments.masters()));
        configuration.put("berth.worker.leader.file", arguments.leaderFile());
        configuration.put("berth.worker.host", arguments.host());
        arguments.security().ifPresent(folder -> configuration.put("berth.worker.security", folder));
        configuration.put("berth.worker.cpu.millis", String.valueOf(arguments.cpuMillis()));
        configuration.put("berth.worker.heap.bytes", String.valueOf(arguments.heapBytes()));
        configuration.put("berth.worker.off.heap.bytes", String.valueOf(arguments.offHeapBytes()));
        configuration.put("berth.worker.managed.bytes", String.valueOf(arguments.managedBytes()));
        configuration.put("berth.worker.resources", lines(arguments.resources()));
        configuration.put("berth.worker.slots", String.valueOf(arguments.slots()));
        configuration.put("berth.worker.backend", arguments.backend());
        configuration.put("berth.worker.spec", arguments.spec());
        configuration.put("berth.worker.work", work.toString());
        configuration.put(
                "berth.worker.logs",
                arguments
                        .logs()
                        .map(folder -> Path.of(folder).toAbsolutePath().toString())
                        .orElse(""));
        configuration.put(
                "berth.worker.resource.manager.timeout.ms", String.valueOf(arguments.resourceManagerTimeoutMillis()));
        configuration.put("berth.worker.runtime", String.join("\n", arguments.runtime()));
        configuration.put("berth.worker.labels", lines(arguments.labels()));
        configuration.put("berth.worker.taints", lines(arguments.taints()));
        configuration.put("berth.worker.cost.per.hour", String.valueOf(arguments.costPerHour()));
        return configuration;
    }

    private static String lines(SortedMap<String, ?> pairs) {
        return pairs.entrySet().stream()
                .map(pair -> pair.getKey() + "=" + pair.getValue())
                .collect(Collectors.joining("\n"));
    }

    private static String generatedId() {
        return "worker-" + ProcessHandle.current().pid() + "-"
                + Integer.toString(ThreadLocalRandom.current().nextInt(0x1000, 0x10000), 16);
    }

    /** slf4j is on the class path of the launcher: as a bundle it would need a service loader mediator. */
    private static String loggingPackages() {
        List<String> packages = new ArrayList<>();
        for (String name : List.of("org.slf4j", "org.slf4j.event", "org.slf4j.helpers", "org.slf4j.spi")) {
            packages.add(name + ";version=1.7.36");
            packages.add(name + ";version=2.0.0");
        }
        return String.join(",", packages);
    }

    private void startWorker(BundleContext context, Watchdog watchdog) {
        context.registerService(IntConsumer.class, exit::complete, FrameworkUtil.asDictionary(Map.of(ROLE, "exit")));
        context.registerService(Runnable.class, watchdog::close, FrameworkUtil.asDictionary(Map.of(ROLE, "started")));
        Function<String, Optional<String>> secret = name -> Optional.ofNullable(secrets.get(name));
        context.registerService(Function.class, secret, FrameworkUtil.asDictionary(Map.of(ROLE, "secrets")));
        context.registerService(Consumer.class, lines, FrameworkUtil.asDictionary(Map.of(ROLE, "log")));
    }

    private void startBundles(BundleContext context) throws IOException, BundleException {
        install(context, "libraries");
        for (Bundle bundle : install(context, "bundles")) {
            if (bundle.getHeaders("").get(Constants.FRAGMENT_HOST) == null) {
                bundle.start();
            }
        }
    }

    private List<Bundle> install(BundleContext context, String folder) throws IOException, BundleException {
        List<Path> jars = new ArrayList<>();
        try (var files = Files.newDirectoryStream(home.resolve(folder), "*.jar")) {
            files.forEach(jars::add);
        }
        // The worker last: the framework stops bundles in reverse order.
        jars.sort(
                Comparator.comparing((Path jar) -> jar.getFileName().toString().startsWith("berth-worker"))
                        .thenComparing(Path::getFileName));
        List<Bundle> bundles = new ArrayList<>();
        for (Path jar : jars) {
            bundles.add(context.installBundle("reference:" + jar.toUri()));
        }
        return bundles;
    }

    private void stopOnSignal(Framework framework) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(framework, EXIT_FAILED), "berth-worker-shutdown"));
    }

    /** Ends framework and worker, or halts the process. Idempotent; a signal may arrive while it ends by itself. */
    private synchronized void stop(@Nullable Framework framework, int code) {
        try (Watchdog watchdog = new Watchdog("the end of the worker", STOP_MILLIS, code)) {
            if (framework != null) {
                framework.stop();
                framework.waitForStop(0);
            }
            for (String own : List.of("framework", "job-bundles", "allocations", "results", "tasks", LOCK)) {
                delete(work.resolve(own));
            }
            if (arguments.work().isEmpty()) {
                delete(work);
            }
        } catch (BundleException failure) {
            System.err.println("berth-worker: not ended cleanly: " + failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
        }
    }

    /** What cannot be removed does not keep the rest. */
    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException failure) {
            System.err.println("berth-worker: " + folder + " was not removed: " + failure);
        }
    }
}

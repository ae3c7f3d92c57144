package io.berth.spi.backend;

import io.berth.spi.WorkerId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the process of one worker is started, on this machine or on another one. Immutable. Everything in it holds on
 * every machine, except for {@link #java}, {@link #home} and {@link #localArguments}, which are about the machine of the
 * control plane.
 *
 * <p>On another machine, a backend unpacks {@link BackendContext#archive} into a folder and runs {@link #command} with
 * the Java program there and that folder, with {@link #environment}, in a container of {@link #memoryBytes}. On this
 * machine it runs {@link #localCommand}.
 *
 * <p>If there are {@link #secrets}, the backend delivers them in a file, because other users of a machine can read the
 * arguments and perhaps the environment of a process: one line {@code NAME=VALUE} for each, in UTF-8, each line ended by
 * a line feed, names in their order, values as they are. The file is a regular file that belongs to the user of the
 * process and that nobody else may read or write: mode 0600, set before anything is written to it. Its absolute path
 * follows the argument {@code --secrets}; a worker refuses to start if others may read the file. It must exist while the
 * worker starts, and the backend removes it when the worker has ended.
 */
public final class LaunchDescription {

    private final WorkerId worker;
    private final String java;
    private final Path home;
    private final List<String> classPath;
    private final String mainClass;
    private final List<String> javaOptions;
    private final List<String> arguments;
    private final List<String> controlPlane;
    private final List<String> localArguments;
    private final SortedMap<String, String> environment;
    private final SortedMap<String, String> secrets;
    private final long heapBytes;
    private final long directBytes;
    private final long memoryBytes;

    private LaunchDescription(Builder from) {
        worker = from.worker;
        java = from.java;
        home = from.home;
        classPath = List.copyOf(from.classPath);
        mainClass = from.mainClass;
        javaOptions = List.copyOf(from.javaOptions);
        arguments = List.copyOf(from.arguments);
        controlPlane = List.copyOf(from.controlPlane);
        localArguments = List.copyOf(from.localArguments);
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(from.environment));
        secrets = Collections.unmodifiableSortedMap(new TreeMap<>(from.secrets));
        heapBytes = from.heapBytes;
        directBytes = from.directBytes;
        memoryBytes = from.memoryBytes;
    }

    /** Begins a description of a worker; the host describes real ones, and tests those that stand for them. */
    public static Builder of(WorkerId worker) {
        return new Builder(worker);
    }

    /** Sets what is not the default, and builds the description. For one thread. */
    public static final class Builder {

        private final WorkerId worker;
        private String java = "java";
        private Path home = Path.of("");
        private List<String> classPath = List.of();
        private String mainClass = "";
        private List<String> javaOptions = List.of();
        private List<String> arguments = List.of();
        private List<String> controlPlane = List.of();
        private List<String> localArguments = List.of();
        private Map<String, String> environment = Map.of();
        private Map<String, String> secrets = Map.of();
        private long heapBytes;
        private long directBytes;
        private long memoryBytes;

        private Builder(WorkerId worker) {
            this.worker = Objects.requireNonNull(worker, "worker");
        }

        /** The Java program of this machine. */
        public Builder java(String program) {
            java = program;
            return this;
        }

        /** Where the files of workers are unpacked on this machine. */
        public Builder home(Path folder) {
            home = folder;
            return this;
        }

        /** Relative to the folder of the unpacked files, with {@code /}. */
        public Builder classPath(List<String> files) {
            classPath = files;
            return this;
        }

        public Builder mainClass(String name) {
            mainClass = name;
            return this;
        }

        public Builder javaOptions(List<String> options) {
            javaOptions = options;
            return this;
        }

        /** Of the main class, without the addresses of the control plane. */
        public Builder arguments(List<String> words) {
            arguments = words;
            return this;
        }

        /** HOST:PORT of each process that may serve the ResourceManager. */
        public Builder controlPlane(List<String> addresses) {
            controlPlane = addresses;
            return this;
        }

        /** Further arguments on this machine only. */
        public Builder localArguments(List<String> words) {
            localArguments = words;
            return this;
        }

        public Builder environment(Map<String, String> variables) {
            environment = variables;
            return this;
        }

        /** By name: letters, digits, dots, underscores and hyphens. A value has no line feed. */
        public Builder secrets(Map<String, String> values) {
            secrets = values;
            return this;
        }

        /** The memory of the process in bytes. */
        public Builder memory(long heap, long direct, long whole) {
            heapBytes = heap;
            directBytes = direct;
            memoryBytes = whole;
            return this;
        }

        /** @throws IllegalArgumentException names what is not allowed, but never a secret */
        public LaunchDescription build() {
            secrets.forEach((name, value) -> {
                if (!name.matches("[A-Za-z0-9._-]{1,128}")) {
                    throw new IllegalArgumentException("name of a secret is '" + name
                            + "': allowed are 1 to 128 letters, digits, dots, underscores and hyphens");
                }
                if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
                    throw new IllegalArgumentException("secret " + name + " has several lines: one is allowed");
                }
            });
            return new LaunchDescription(this);
        }
    }

    /** The same worker, with other addresses of the control plane: as another network sees them. */
    public LaunchDescription withControlPlane(List<String> addresses) {
        Builder other = of(worker);
        other.java = java;
        other.home = home;
        other.classPath = classPath;
        other.mainClass = mainClass;
        other.javaOptions = javaOptions;
        other.arguments = arguments;
        other.controlPlane = addresses;
        other.localArguments = localArguments;
        other.environment = environment;
        other.secrets = secrets;
        other.heapBytes = heapBytes;
        other.directBytes = directBytes;
        other.memoryBytes = memoryBytes;
        return other.build();
    }

    /** Under which the process registers. */
    public WorkerId worker() {
        return worker;
    }

    /** The Java program of this machine. */
    public String java() {
        return java;
    }

    /** The folder of this machine with the unpacked files of the archive. */
    public Path home() {
        return home;
    }

    /** Files below the folder of the unpacked archive, with {@code /}. */
    public List<String> classPath() {
        return classPath;
    }

    public String mainClass() {
        return mainClass;
    }

    /** Options of the Java program, among them the limits of its memory. */
    public List<String> javaOptions() {
        return javaOptions;
    }

    /** HOST:PORT of each process that may serve the ResourceManager; the worker tries them in turn. */
    public List<String> controlPlane() {
        return controlPlane;
    }

    /** Arguments of the main class, with the addresses of the control plane. */
    public List<String> arguments() {
        List<String> all = new ArrayList<>();
        if (!controlPlane.isEmpty()) {
            all.add("--master");
            all.add(String.join(",", controlPlane));
        }
        all.addAll(arguments);
        return Collections.unmodifiableList(all);
    }

    /**
     * Further arguments on this machine: its files are known, such as the one that says where the ResourceManager is.
     * Without them, a worker asks the addresses of the control plane and uses a temporary folder.
     */
    public List<String> localArguments() {
        return localArguments;
    }

    /** Variables that the process needs beside those that its machine gives to every process. */
    public SortedMap<String, String> environment() {
        return environment;
    }

    /** What must be neither an argument nor in the environment; see the class. Empty if there is none. */
    public SortedMap<String, String> secrets() {
        return secrets;
    }

    /** Limit of the heap in bytes; the Java options set it. */
    public long heapBytes() {
        return heapBytes;
    }

    /** Limit of direct memory in bytes; the Java options set it. */
    public long directBytes() {
        return directBytes;
    }

    /** The memory that the whole process may need, in bytes: the least limit of a container. */
    public long memoryBytes() {
        return memoryBytes;
    }

    /**
     * The command line on any machine, program and arguments without quoting.
     *
     * @param program the Java program there
     * @param folder where the archive is unpacked there, an absolute path with {@code /}
     * @param secretsFile path of the file with the secrets there; empty if there are none
     * @throws IllegalArgumentException when there are secrets and no file, or a file and no secrets
     */
    public List<String> command(String program, String folder, Optional<String> secretsFile) {
        if (secretsFile.isPresent() == secrets.isEmpty()) {
            throw new IllegalArgumentException("worker " + worker + " has " + secrets.size()
                    + " secrets: a file for them must be named if there are some, and only then");
        }
        List<String> command = new ArrayList<>();
        command.add(program);
        command.addAll(javaOptions);
        command.add("-cp");
        command.add(String.join(
                ":", classPath.stream().map(file -> folder + "/" + file).toList()));
        command.add(mainClass);
        command.addAll(arguments());
        secretsFile.ifPresent(file -> {
            command.add("--secrets");
            command.add(file);
        });
        return command;
    }

    /**
     * The command line on this machine.
     *
     * @param secretsFile see {@link #command}
     */
    public List<String> localCommand(Optional<Path> secretsFile) {
        List<String> command = command(
                java,
                home.toString(),
                secretsFile.map(file -> file.toAbsolutePath().toString()));
        command.addAll(localArguments);
        return command;
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return "worker " + worker + ": " + mainClass + " " + arguments() + ", " + memoryBytes + " bytes, "
                + secrets.size() + " secrets";
    }
}

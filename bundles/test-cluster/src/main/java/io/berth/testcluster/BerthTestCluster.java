package io.berth.testcluster;

import io.berth.client.JobDescription;
import io.berth.client.JobInfo;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.core.dispatcher.description.DescriptionBundles;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.connect.SideOutputFactory;
import io.berth.spi.ResourceProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A control plane and workers in this JVM, for unit tests of jobs. They are the real ones: a job is scheduled, deployed,
 * restarted and rescaled as in a cluster, and its records go over sockets between the workers. Only the calls of the
 * control plane stay within the process, and operators are objects of the test instead of bundles. Thread-safe.
 *
 * <pre>{@code
 * try (BerthTestCluster cluster = BerthTestCluster.builder()
 *         .operator("split", new SplitFactory())
 *         .keyedOperator("count", new CountFactory())
 *         .start()) {
 *     JobInfo end = cluster.run(job, Duration.ofSeconds(10));
 *     assertEquals(JobStatus.FINISHED, end.status(), end.reason());
 * }
 * }</pre>
 */
public final class BerthTestCluster implements AutoCloseable {

    private static final Duration REGISTRATION = Duration.ofSeconds(30);

    private final Path folder;
    private final ControlPlane controlPlane;
    private final TestWorker.Equipment equipment;
    private final List<TestWorker> workers = new ArrayList<>();
    private int started;
    private boolean closed;

    private BerthTestCluster(Builder builder) {
        TestOperators operators = new TestOperators(builder.operators, builder.keyed, builder.sideOutputs);
        try {
            folder = Files.createTempDirectory("berth-test-");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        controlPlane = new ControlPlane(operators, builder.stabilization.toMillis());
        equipment = new TestWorker.Equipment(builder.slot, builder.slots, folder, controlPlane.rpc(), operators);
    }

    /** Two workers with two slots each, unless the builder is told otherwise. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects what a cluster has. Not thread-safe. */
    public static final class Builder {

        private final SortedMap<String, OperatorFactory<?, ?>> operators = new TreeMap<>();
        private final SortedSet<String> keyed = new TreeSet<>();
        private final SortedMap<String, List<String>> sideOutputs = new TreeMap<>();
        private int workers = 2;
        private int slots = 2;
        private ResourceProfile slot = ResourceProfile.of(1_000, 1L << 30);
        private Duration stabilization = Duration.ofMillis(50);

        private static final int MAX_CPU = 10_000;

        private Builder() {}

        /** An operator that jobs name by {@code name}. That of a {@code TwoInputFactory} has two inputs. */
        public Builder operator(String name, OperatorFactory<?, ?> factory) {
            operators.put(name, factory);
            return this;
        }

        /** An operator whose input is partitioned by key, which {@code @Operator(keyed = true)} says in a bundle. */
        public Builder keyedOperator(String name, OperatorFactory<?, ?> factory) {
            keyed.add(name);
            return operator(name, factory);
        }

        /**
         * The side outputs of an operator of the test, which {@code @Operator(sideOutputs = ...)} says in a bundle.
         *
         * @param operator its name; its factory is a {@code SideOutputFactory}
         */
        public Builder sideOutputs(String operator, String... names) {
            sideOutputs.put(operator, List.of(names));
            return this;
        }

        /** How many workers there are at the start; 0 or more. */
        public Builder workers(int count) {
            workers = atLeast("workers", count, 0);
            return this;
        }

        /** How many slots each worker has; 1 or more. */
        public Builder slots(int ofEachWorker) {
            slots = atLeast("slots", ofEachWorker, 1);
            return this;
        }

        /**
         * The size of each slot, 1 CPU and 1 GiB unless it is set. Nothing of that is reserved; jobs with slot sharing groups of
         * their own size need workers that have it.
         *
         * @param cpu thousandths count
         */
        public Builder slotSize(double cpu, long heapBytes) {
            if (!(cpu > 0 && cpu <= MAX_CPU) || heapBytes <= 0) {
                throw new IllegalArgumentException("a slot of " + cpu + " CPU and " + heapBytes
                        + " bytes: more than 0 of both is allowed, and at most " + MAX_CPU + " CPU");
            }
            slot = ResourceProfile.of(Math.max(1, Math.round(cpu * 1_000)), heapBytes);
            return this;
        }

        /** How long a job waits for more slots than its minimum, before it starts and before it rescales; 0 or more. */
        public Builder stabilization(Duration time) {
            if (time.isNegative()) {
                throw new IllegalArgumentException("stabilization is " + time + ": at least 0 is allowed");
            }
            stabilization = time;
            return this;
        }

        private static int atLeast(String what, int value, int least) {
            if (value < least) {
                throw new IllegalArgumentException(what + " is " + value + ": at least " + least + " is allowed");
            }
            return value;
        }

        /** A cluster whose workers have registered. */
        public BerthTestCluster start() {
            for (String operator : sideOutputs.keySet()) {
                if (!(operators.get(operator) instanceof SideOutputFactory<?, ?>)) {
                    throw new IllegalArgumentException("side outputs of '" + operator
                            + "': allowed for an operator of the test whose factory is a SideOutputFactory");
                }
            }
            BerthTestCluster cluster = new BerthTestCluster(this);
            try {
                cluster.startWorkers(workers);
            } catch (RuntimeException | Error failure) {
                try {
                    cluster.close();
                } catch (RuntimeException late) {
                    failure.addSuppressed(late);
                }
                throw failure;
            }
            return cluster;
        }
    }

    /**
     * Submits a job. Its operators are those of the cluster and the built-in ones; bundles that it names are not used.
     *
     * @throws IllegalArgumentException when the description has problems; the message has all of them
     */
    public TestJob submit(JobDescription job) {
        SubmitResult result = TestJob.answer(
                controlPlane.jobs().submit(DescriptionBundles.replaced(job.toString(), OperatorFiles.SHA256)));
        if (result instanceof SubmitResult.Refused refused) {
            throw new IllegalArgumentException(
                    refused.problems().stream().map(Problem::toString).collect(Collectors.joining("\n")));
        }
        return new TestJob(controlPlane.jobs(), ((SubmitResult.Submitted) result).job());
    }

    /** Submits a job and waits for its end, however it ends. */
    public JobInfo run(JobDescription job, Duration timeout) throws InterruptedException, TimeoutException {
        return submit(job).awaitEnd(timeout);
    }

    /** Starts another worker, and waits until it has registered. Returns its name. */
    public synchronized String addWorker() {
        return startWorkers(1).get(0);
    }

    private synchronized List<String> startWorkers(int count) {
        if (closed) {
            throw new IllegalStateException("the test cluster is closed");
        }
        List<String> names = new ArrayList<>();
        if (count == 0) {
            return names;
        }
        for (int i = 0; i < count; i++) {
            String name = "worker-" + ++started;
            workers.add(new TestWorker(name, equipment));
            names.add(name);
        }
        try {
            Polls.until(
                    this::registered,
                    registered -> registered.containsAll(names),
                    REGISTRATION,
                    registered -> "of the workers " + names + " only these have registered: " + registered);
        } catch (TimeoutException late) {
            throw new IllegalStateException(late.getMessage(), late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
        return names;
    }

    private Set<String> registered() {
        return TestJob.answer(controlPlane.cluster().cluster()).workers().stream()
                .filter(worker -> worker.state().equals("registered"))
                .map(WorkerDetails::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Ends a worker as if its process had been killed: its tasks are lost, and nobody is told.
     *
     * @throws IllegalArgumentException when no worker has that name
     */
    public synchronized void killWorker(String name) {
        TestWorker worker = workers.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no worker '" + name + "': there are "
                        + workers.stream().map(TestWorker::name).toList()));
        workers.remove(worker);
        worker.kill();
    }

    /** Names of the workers that were not killed, in the order in which they were started. */
    public synchronized List<String> workers() {
        return workers.stream().map(TestWorker::name).toList();
    }

    /** Ends all jobs and workers, and deletes their files. Closing again does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        // Workers end first, and tell nobody: a job that runs is not restarted on those that are left.
        List<Runnable> steps = new ArrayList<>();
        workers.forEach(worker -> steps.add(worker::kill));
        steps.add(controlPlane::close);
        steps.add(this::deleteFiles);
        workers.clear();
        Closes.all(steps);
    }

    private void deleteFiles() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("the files of the test cluster in " + folder + " are not deleted", failure);
        }
    }
}

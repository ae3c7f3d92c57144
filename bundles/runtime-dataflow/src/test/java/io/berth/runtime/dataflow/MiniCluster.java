package io.berth.runtime.dataflow;

import io.berth.core.api.BundleRef;
import io.berth.core.api.FencingToken;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskDeployment.Output;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.core.api.task.TaskHandle;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.runtime.dataflow.builtin.BuiltInOperators;
import io.berth.runtime.dataflow.exchange.ExchangeSettings;
import io.berth.runtime.dataflow.task.TaskSettings;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/** Several runtimes in one JVM and a minimal JobMaster, for tests: chains of operators that edges connect, in a row or as a graph. */
final class MiniCluster implements AutoCloseable {

    private static final EndpointRef NOBODY = MiniCluster.nobody();

    final List<DataflowRuntime> workers = new ArrayList<>();
    final Map<String, OperatorFactory<?, ?>> factories = new TreeMap<>();
    final Map<String, String> secrets = new ConcurrentSkipListMap<>();

    /** Data addresses of all workers. */
    private List<String> addresses;

    /** One in this many calls of each task for splits is lost; 0: none. */
    volatile int lostSplitCalls;

    private int firstChain;
    private int execution = 1;

    /** Index of the only worker in this JVM, or -1 when all are here. */
    private final int local;

    /** One chain of a job: its operators, its parallelism, and its edge from the previous chain. */
    record Chain(List<ChainedOperator> operators, int parallelism, Partitioning input, Exchange exchange) {

        Chain(List<ChainedOperator> operators, int parallelism, Partitioning input) {
            this(operators, parallelism, input, Exchange.PIPELINED);
        }
    }

    /** An edge between two chains of a job, by their places. */
    record Link(int from, int to, Partitioning partitioning, Exchange exchange, int input, String output) {

        Link(int from, int to, Partitioning partitioning, int input, String output) {
            this(from, to, partitioning, Exchange.PIPELINED, input, output);
        }
    }

    MiniCluster(int count, ExchangeSettings settings) {
        this(count, -1, settings);
    }

    /** The part of a cluster that belongs to one worker; {@link #join} adds the others. */
    static MiniCluster worker(int index, ExchangeSettings settings) {
        return new MiniCluster(1, index, settings);
    }

    private MiniCluster(int count, int local, ExchangeSettings settings) {
        this.local = local;
        for (int i = 0; i < count; i++) {
            workers.add(new DataflowRuntime(
                    "worker-" + Math.max(i, local), settings, TaskSettings.of(RuntimeSettings.DEFAULTS), 1));
        }
        addresses = workers.stream().map(DataflowRuntime::dataAddress).toList();
        factories.putAll(BuiltInOperators.all());
    }

    private static EndpointRef nobody() {
        return new EndpointRef(
                new RpcAddress("127.0.0.1", 1), new EndpointName("nobody"), new FencingToken(1, new UUID(0, 1)));
    }

    void join(List<String> all) {
        addresses = List.copyOf(all);
    }

    private boolean isHere(int subtask) {
        return local < 0 || subtask % addresses.size() == local;
    }

    static ChainedOperator operator(String vertex, String operator, Map<String, String> configuration) {
        return new ChainedOperator(vertex, operator, new TreeMap<>(configuration));
    }

    /** A running job: handles by chain and subtask. */
    final class Job {
        final List<List<TaskHandle>> tasks = new ArrayList<>();
        private final Map<String, ArrayDeque<byte[]>> splits = new TreeMap<>();
        private final List<TaskContext.Committable> committables = new ArrayList<>();
        private final List<TaskHandle> committing = new ArrayList<>();
        private int sinks;

        /** Completes with the outcomes of all tasks. */
        List<TaskHandle.Outcome> outcomes() {
            return tasks.stream()
                    .flatMap(List::stream)
                    .map(task -> task.outcome()
                            .toCompletableFuture()
                            .orTimeout(100, TimeUnit.SECONDS)
                            .join())
                    .toList();
        }

        void cancel() {
            tasks.forEach(chain -> chain.forEach(TaskHandle::cancel));
        }
    }

    /** Starts a job; subtask i runs on worker i modulo their number, the consumers first. */
    Job submit(String id, List<Chain> chains) {
        return submit(id, chains, inARow(chains));
    }

    private static List<Link> inARow(List<Chain> chains) {
        List<Link> links = new ArrayList<>();
        for (int to = 1; to < chains.size(); to++) {
            links.add(
                    new Link(to - 1, to, chains.get(to).input(), chains.get(to).exchange(), 1, ""));
        }
        return links;
    }

    /** Starts a job whose chains the links connect, each to a later one. */
    Job submit(String id, List<Chain> chains, List<Link> links) {
        return submit(id, chains, links, 0, chains.size(), 1);
    }

    /**
     * Starts the chains {@code [first, end)} of a job, which blocking edges separate from the others.
     *
     * @param number of the execution of these chains; the chains before have run as number 1
     */
    Job submit(String id, List<Chain> chains, int first, int end, int number) {
        return submit(id, chains, inARow(chains), first, end, number);
    }

    private Job submit(String id, List<Chain> chains, List<Link> links, int first, int end, int number) {
        firstChain = first;
        execution = number;
        Job job = new Job();
        job.sinks = chains.get(chains.size() - 1).parallelism();
        List<List<TaskHandle>> lastFirst = new ArrayList<>();
        for (int c = end - 1; c >= first; c--) {
            List<TaskHandle> handles = new ArrayList<>();
            for (int s = 0; s < chains.get(c).parallelism(); s++) {
                if (!isHere(s)) {
                    continue;
                }
                TaskDeployment deployment = deployment(id, chains, links, c, s);
                CompletableFuture<TaskHandle> self = new CompletableFuture<>();
                DataflowRuntime worker = workers.get(local < 0 ? s % workers.size() : 0);
                TaskHandle handle = worker.start(deployment, new Context(job, self, deployment));
                self.complete(handle);
                handles.add(handle);
            }
            lastFirst.add(0, handles);
        }
        job.tasks.addAll(lastFirst);
        return job;
    }

    private AttemptId attempt(String id, List<Chain> chains, int chain, int subtask) {
        return new AttemptId(
                new JobId(id),
                chains.get(chain).operators().get(0).vertex(),
                subtask,
                1,
                chain < firstChain ? 1 : execution);
    }

    private TaskDeployment deployment(String id, List<Chain> chains, List<Link> links, int index, int subtask) {
        Chain chain = chains.get(index);
        List<Input> inputs = new ArrayList<>();
        List<Output> outputs = new ArrayList<>();
        for (int edge = 1; edge <= links.size(); edge++) {
            Link link = links.get(edge - 1);
            if (link.to() == index) {
                inputs.add(input(id, chains, link, edge, subtask));
            }
            if (link.from() == index) {
                Chain after = chains.get(link.to());
                outputs.add(new Output(
                        edge,
                        link.partitioning(),
                        link.exchange(),
                        after.operators().get(0),
                        parts(link, after),
                        128,
                        link.input(),
                        link.output()));
            }
        }
        return new TaskDeployment(
                attempt(id, chains, index, subtask),
                id,
                NOBODY,
                NOBODY,
                new AllocationId(1, subtask + 1),
                "dataflow",
                chain.parallelism(),
                128,
                List.<BundleRef>of(),
                chain.operators(),
                inputs,
                outputs);
    }

    private static int parts(Link link, Chain consumer) {
        if (link.exchange() == Exchange.BLOCKING) {
            return link.partitioning() == Partitioning.BROADCAST ? 1 : 128;
        }
        return link.partitioning() == Partitioning.FORWARD ? 1 : consumer.parallelism();
    }

    private Input input(String id, List<Chain> chains, Link link, int edge, int subtask) {
        Chain before = chains.get(link.from());
        List<Producer> producers = new ArrayList<>();
        for (int p = 0; p < before.parallelism(); p++) {
            if (link.partitioning() != Partitioning.FORWARD || p == subtask) {
                producers.add(new Producer(
                        new PartitionId(attempt(id, chains, link.from(), p), edge),
                        addresses.get(p % addresses.size())));
            }
        }
        ChainedOperator last = before.operators().get(before.operators().size() - 1);
        return new Input(edge, link.partitioning(), link.exchange(), last, producers, link.input(), link.output());
    }

    private final class Context implements TaskContext {
        private final Job job;
        private final CompletableFuture<TaskHandle> self;
        private final TaskDeployment deployment;

        private int splitCalls;

        Context(Job job, CompletableFuture<TaskHandle> self, TaskDeployment deployment) {
            this.job = job;
            this.self = self;
            this.deployment = deployment;
        }

        // Workers of other JVMs cannot be asked. Each one enumerates all splits, and takes every n-th one.
        private ArrayDeque<byte[]> ownSplits() {
            ChainedOperator source = deployment.operators().get(0);
            ArrayDeque<byte[]> own = new ArrayDeque<>();
            try {
                List<byte[]> all = ((io.berth.dataflow.api.Source<?>) factories
                                .get(source.operator())
                                .create(new Configuration(source.operator(), source.configuration())))
                        .enumerateSplits();
                for (int i = local; i < all.size(); i += addresses.size()) {
                    own.add(all.get(i));
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return own;
        }

        @Override
        public Optional<Object> operator(String name) {
            return Optional.ofNullable(factories.get(name));
        }

        @Override
        public ClassLoader classLoader(String operator) {
            return MiniCluster.class.getClassLoader();
        }

        @Override
        public Optional<String> secret(String name) {
            return Optional.ofNullable(secrets.get(name));
        }

        @Override
        public CompletionStage<Void> reportSplits(String vertex, List<byte[]> splits) {
            synchronized (job) {
                if (isSplitCallLost()) {
                    return CompletableFuture.failedFuture(lost());
                }
                job.splits.put(vertex, local < 0 ? new ArrayDeque<>(splits) : ownSplits());
            }
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<SplitAnswer> nextSplit(String vertex) {
            synchronized (job) {
                if (isSplitCallLost()) {
                    return CompletableFuture.failedFuture(lost());
                }
                if (local >= 0) {
                    job.splits.computeIfAbsent(vertex, any -> ownSplits());
                }
                ArrayDeque<byte[]> left = job.splits.get(vertex);
                SplitAnswer answer = left == null
                        ? new SplitAnswer.NotYet()
                        : left.isEmpty() ? new SplitAnswer.Exhausted() : new SplitAnswer.Assigned(left.pollFirst());
                return CompletableFuture.completedFuture(answer);
            }
        }

        private boolean isSplitCallLost() {
            return lostSplitCalls > 0 && ++splitCalls % lostSplitCalls == 0;
        }

        private RpcException lost() {
            return new RpcException(RpcException.Kind.DEADLINE, "no answer from the JobMaster");
        }

        @Override
        public void readyToCommit(List<Committable> committables) {
            synchronized (job) {
                job.committables.addAll(committables);
                job.committing.add(self.join());
                if (job.committing.size() == job.sinks) {
                    TaskHandle committer = job.committing.get(0);
                    List<TaskHandle> others = List.copyOf(job.committing.subList(1, job.committing.size()));
                    // As the JobMaster does: the others may end when the output is published.
                    committer.outcome().thenRun(() -> others.forEach(task -> task.commit(List.of())));
                    committer.commit(job.committables);
                }
            }
        }
    }

    @Override
    public void close() {
        workers.forEach(DataflowRuntime::close);
    }
}

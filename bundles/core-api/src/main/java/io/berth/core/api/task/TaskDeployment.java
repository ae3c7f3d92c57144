package io.berth.core.api.task;

import io.berth.core.api.BundleRef;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.AllocationId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that a worker needs to run a task.
 *
 * @param attempt the attempt to run
 * @param jobName for people
 * @param jobMaster endpoint of the job's JobMaster; its token is the JobMasterId that owns the slot
 * @param dispatcher endpoint that stores the job's bundles
 * @param allocation the slot that the task runs in
 * @param runtime name of the task runtime
 * @param parallelism of all vertices of the chain
 * @param maxParallelism number of key groups of the chain
 * @param bundles user code of the job
 * @param operators operators of the chain, first to last; each calls the next one
 * @param inputs inputs of the first operator
 * @param outputs outputs of the last operator
 * @param rendezvous where the tasks of the chain meet, HOST:PORT on the worker of subtask 0, which is the one that may
 *     listen there; the same for all of them, and another one with each attempt. Empty when they do not meet
 */
public record TaskDeployment(
        AttemptId attempt,
        String jobName,
        EndpointRef jobMaster,
        EndpointRef dispatcher,
        AllocationId allocation,
        String runtime,
        int parallelism,
        int maxParallelism,
        List<BundleRef> bundles,
        List<ChainedOperator> operators,
        List<Input> inputs,
        List<Output> outputs,
        String rendezvous) {

    public TaskDeployment {
        bundles = List.copyOf(bundles);
        operators = List.copyOf(operators);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** Of tasks that do not meet. */
    public TaskDeployment(
            AttemptId attempt,
            String jobName,
            EndpointRef jobMaster,
            EndpointRef dispatcher,
            AllocationId allocation,
            String runtime,
            int parallelism,
            int maxParallelism,
            List<BundleRef> bundles,
            List<ChainedOperator> operators,
            List<Input> inputs,
            List<Output> outputs) {
        this(
                attempt,
                jobName,
                jobMaster,
                dispatcher,
                allocation,
                runtime,
                parallelism,
                maxParallelism,
                bundles,
                operators,
                inputs,
                outputs,
                "");
    }

    /** One operator of the chain. */
    public record ChainedOperator(String vertex, String operator, SortedMap<String, String> configuration) {

        public ChainedOperator {
            configuration = Collections.unmodifiableSortedMap(new TreeMap<>(configuration));
        }
    }

    /**
     * An edge into the chain.
     *
     * @param edge number of the edge within the job
     * @param producer the operator at the other end, whose serializer the edge uses
     * @param producers the partitions to read, in the order of the producing subtasks. With {@code FORWARD}, this is
     *     only the partition with the task's own index. From each partition the task reads the part with its own
     *     subtask index ({@code FORWARD}: part 0). With {@code BLOCKING}, all of them are complete.
     * @param input 1, or 2 of an operator with two inputs
     * @param output of the producer: empty for its main output, else the name of a side output
     */
    public record Input(
            int edge,
            Partitioning partitioning,
            Exchange exchange,
            ChainedOperator producer,
            List<Producer> producers,
            int input,
            String output) {

        /** An input of 0 is the first one: a message from before edges had inputs has none. */
        public Input {
            producers = ProducerColumns.behind(producers).isPresent() ? producers : List.copyOf(producers);
            input = Math.max(1, input);
        }

        /** From the main output to the first input. */
        public Input(
                int edge,
                Partitioning partitioning,
                Exchange exchange,
                ChainedOperator producer,
                List<Producer> producers) {
            this(edge, partitioning, exchange, producer, producers, 1, "");
        }
    }

    /** A partition and the data address of the worker that produces it. */
    public record Producer(PartitionId partition, String dataAddress) {}

    /**
     * An edge out of the chain.
     *
     * @param edge number of the edge within the job
     * @param consumer the operator at the other end; for {@code HASH}, the edge uses its key selection
     * @param exchange with {@code BLOCKING}, the worker stores the output, and keeps it after the task has ended
     * @param consumers parallelism of the consuming chain, which is the number of parts ({@code FORWARD}: 1)
     * @param consumerMaxParallelism key groups of the consumer, for {@code HASH}
     * @param input of the consumer: 1, or 2 of an operator with two inputs; for {@code HASH}, the edge uses its key selection
     * @param output of the chain: empty for its main output, else the name of a side output of its last operator
     */
    public record Output(
            int edge,
            Partitioning partitioning,
            Exchange exchange,
            ChainedOperator consumer,
            int consumers,
            int consumerMaxParallelism,
            int input,
            String output) {

        /** An input of 0 is the first one: a message from before edges had inputs has none. */
        public Output {
            input = Math.max(1, input);
        }

        /** From the main output to the first input. */
        public Output(
                int edge,
                Partitioning partitioning,
                Exchange exchange,
                ChainedOperator consumer,
                int consumers,
                int consumerMaxParallelism) {
            this(edge, partitioning, exchange, consumer, consumers, consumerMaxParallelism, 1, "");
        }
    }
}

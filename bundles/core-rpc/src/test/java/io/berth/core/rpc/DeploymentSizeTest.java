package io.berth.core.rpc;

import static io.berth.core.rpc.Samples.JOB;
import static io.berth.core.rpc.Samples.JOB_MASTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.ProducerColumns;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.core.rpc.gateway.GatewayType;
import io.berth.core.rpc.proto.TaskExecutorProto;
import io.berth.core.rpc.wire.Form;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** All consumers of an edge read from the same producers, which are sent once. */
class DeploymentSizeTest {

    private static final int PARALLELISM = 200;
    private static final Form FORM = GatewayType.methods()
            .filter(method -> method.name().equals("DeployTasks"))
            .findFirst()
            .orElseThrow()
            .request();

    private static List<Producer> producers(int edge, int count) {
        List<Producer> producers = new ArrayList<>();
        for (int subtask = 0; subtask < count; subtask++) {
            producers.add(new Producer(
                    new PartitionId(new AttemptId(JOB, "lines", subtask, 1, 1), edge),
                    "127.0.0.1:" + (40_000 + subtask)));
        }
        return List.copyOf(producers);
    }

    private static Input input(int edge, List<Producer> producers) {
        return new Input(
                edge,
                Partitioning.HASH,
                Exchange.PIPELINED,
                new ChainedOperator("lines", "lines", new TreeMap<>()),
                producers);
    }

    private static TaskDeployment task(int subtask, List<Input> inputs) {
        RpcAddress address = new RpcAddress("127.0.0.1", 6_000);
        return new TaskDeployment(
                new AttemptId(JOB, "counts", subtask, 1, 1),
                "words",
                new EndpointRef(address, EndpointName.jobMaster(JOB), Samples.token(4)),
                new EndpointRef(address, EndpointName.DISPATCHER, Samples.token(2)),
                new AllocationId(1, subtask),
                "dataflow",
                PARALLELISM,
                PARALLELISM,
                List.of(),
                List.of(),
                inputs,
                List.of());
    }

    private static Deployments consumers(int count, List<Producer> producers) {
        return new Deployments(
                JOB_MASTER,
                IntStream.range(0, count)
                        .mapToObj(subtask -> task(subtask, List.of(input(1, producers), input(2, producers(2, 1)))))
                        .toList());
    }

    private static byte[] write(Deployments deployments) {
        return FORM.write(new Object[] {deployments}).toByteArray();
    }

    private static Deployments read(byte[] bytes) throws Exception {
        return (Deployments) ((Object[]) FORM.read(bytes))[0];
    }

    @Test
    void theProducersOfAnEdgeAreSentOnceAndSharedAfterwards() throws Exception {
        List<Producer> producers = producers(1, PARALLELISM);
        int one = write(consumers(1, producers)).length;
        int list = one - write(consumers(1, List.of())).length;
        Deployments sent = consumers(PARALLELISM, producers);

        byte[] bytes = write(sent);

        assertThat(bytes.length).isLessThan(2 * list + PARALLELISM * (one - list + 30));
        Deployments received = read(bytes);
        assertThat(received).isEqualTo(sent);
        List<Producer> first = received.tasks().get(0).inputs().get(0).producers();
        assertThat(received.tasks())
                .allSatisfy(task -> assertThat(task.inputs().get(0).producers()).isSameAs(first));
    }

    @Test
    void producersInColumnsTakeAFewBytesEach() throws Exception {
        List<Producer> producers = IntStream.range(0, PARALLELISM)
                .mapToObj(subtask -> new Producer(
                        new PartitionId(new AttemptId(JOB, "lines", subtask, 1, 1, subtask % 2), 1),
                        "127.0.0.1:" + (40_000 + subtask / 8)))
                .toList();
        List<Producer> columns =
                ProducerColumns.of(producers).map(ProducerColumns::rows).orElseThrow();
        assertThat(columns).isEqualTo(producers);
        for (int consumers : new int[] {1, 3}) {
            Deployments sent = consumers(consumers, columns);

            byte[] bytes = write(sent);

            assertThat(bytes.length - write(consumers(consumers, List.of())).length)
                    .isLessThan(4 * PARALLELISM + 17 * PARALLELISM / 8 + 60);
            Deployments received = read(bytes);
            assertThat(received).isEqualTo(sent).isEqualTo(consumers(consumers, producers));
            List<Producer> first = received.tasks().get(0).inputs().get(0).producers();
            assertThat(received.tasks())
                    .allSatisfy(
                            task -> assertThat(task.inputs().get(0).producers()).isSameAs(first));
        }
    }

    @Test
    void inputsMayHaveTheirOwnProducers() throws Exception {
        Deployments sent = consumers(3, producers(1, 4));
        TaskExecutorProto.Deployments.Builder message =
                TaskExecutorProto.Deployments.parseFrom(write(sent)).toBuilder();
        for (int task = 0; task < 3; task++) {
            TaskExecutorProto.TaskDeployment.Builder own = message.getTasks(task).toBuilder();
            own.setInputs(
                    0,
                    own.getInputs(0).toBuilder()
                            .addAllProducers(message.getProducers(0).getProducersList()));
            message.setTasks(task, own);
        }
        message.clearProducers().clearProducersOfInputs();

        assertThat(read(message.build().toByteArray())).isEqualTo(sent);
    }

    @Test
    void producersThatAreNotThereAreRefused() throws Exception {
        TaskExecutorProto.Deployments message =
                TaskExecutorProto.Deployments.parseFrom(write(consumers(3, producers(1, 4))));
        assertThat(message.getProducersOfInputsList()).containsExactly(1, 0, 1, 0, 1, 0);

        for (int number : new int[] {-1, 2}) {
            byte[] other =
                    message.toBuilder().setProducersOfInputs(2, number).build().toByteArray();
            assertThatThrownBy(() -> read(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has producers number " + number + "; allowed is a number from 0 to 1");
        }
        byte[] more = message.toBuilder().addProducersOfInputs(1).build().toByteArray();
        assertThatThrownBy(() -> read(more))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("have 6 inputs, and 7 numbers of their producers");
    }
}

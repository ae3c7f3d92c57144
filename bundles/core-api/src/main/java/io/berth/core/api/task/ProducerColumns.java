package io.berth.core.api.task;

import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.spi.JobId;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;

/**
 * All producers of one edge, subtask by subtask, in columns. Each worker receives all of them, so what they have in common
 * is there once: a producer takes some bytes of a message instead of its names and addresses.
 *
 * @param chain of all of them
 * @param edge number of the edge within the job
 * @param restarts of each subtask, from 0
 * @param dataAddresses of their workers, each once
 * @param addresses for each subtask the index of its data address
 */
public record ProducerColumns(
        JobId job,
        String chain,
        long epoch,
        long execution,
        int edge,
        List<Integer> restarts,
        List<String> dataAddresses,
        List<Integer> addresses) {

    /** @throws IllegalArgumentException when a subtask has no data address */
    public ProducerColumns {
        restarts = List.copyOf(restarts);
        dataAddresses = List.copyOf(dataAddresses);
        addresses = List.copyOf(addresses);
        if (restarts.size() != addresses.size()) {
            throw new IllegalArgumentException("the producers of edge " + edge + " have " + restarts.size()
                    + " restarts and " + addresses.size() + " addresses: the numbers must be equal");
        }
        for (int address : addresses) {
            if (address < 0 || address >= dataAddresses.size()) {
                throw new IllegalArgumentException("a producer of edge " + edge + " has data address number " + address
                        + ": allowed is a number from 0 to " + (dataAddresses.size() - 1));
            }
        }
    }

    /** The columns of producers; empty unless they are subtasks 0, 1, 2 and so on of one execution of one chain. */
    public static Optional<ProducerColumns> of(List<Producer> producers) {
        if (producers.isEmpty()) {
            return Optional.empty();
        }
        PartitionId first = producers.get(0).partition();
        AttemptId attempt = first.producer();
        Map<String, Integer> numbers = new HashMap<>();
        List<String> dataAddresses = new ArrayList<>();
        List<Integer> restarts = new ArrayList<>();
        List<Integer> addresses = new ArrayList<>();
        for (Producer producer : producers) {
            AttemptId other = producer.partition().producer();
            if (!other.equals(attempt(attempt, addresses.size(), other.restart()))
                    || producer.partition().edge() != first.edge()) {
                return Optional.empty();
            }
            restarts.add(other.restart());
            addresses.add(numbers.computeIfAbsent(producer.dataAddress(), address -> {
                dataAddresses.add(address);
                return dataAddresses.size() - 1;
            }));
        }
        return Optional.of(new ProducerColumns(
                attempt.job(),
                attempt.chain(),
                attempt.epoch(),
                attempt.execution(),
                first.edge(),
                restarts,
                dataAddresses,
                addresses));
    }

    private static AttemptId attempt(AttemptId like, int subtask, int restart) {
        return new AttemptId(like.job(), like.chain(), subtask, like.epoch(), like.execution(), restart);
    }

    /** The columns that a list is a view of; empty when it is another list. */
    public static Optional<ProducerColumns> behind(List<Producer> producers) {
        return producers instanceof Rows rows ? Optional.of(rows.columns) : Optional.empty();
    }

    /** An immutable view, in the order of subtasks. Each producer is created when it is read. */
    public List<Producer> rows() {
        return new Rows(this);
    }

    private Producer row(int subtask) {
        AttemptId attempt = new AttemptId(job, chain, subtask, epoch, execution, restarts.get(subtask));
        return new Producer(new PartitionId(attempt, edge), dataAddresses.get(addresses.get(subtask)));
    }

    private static final class Rows extends AbstractList<Producer> implements RandomAccess {

        private final ProducerColumns columns;

        Rows(ProducerColumns columns) {
            this.columns = columns;
        }

        @Override
        public Producer get(int subtask) {
            return columns.row(subtask);
        }

        @Override
        public int size() {
            return columns.addresses().size();
        }
    }
}

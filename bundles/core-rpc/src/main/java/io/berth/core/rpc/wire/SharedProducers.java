package io.berth.core.rpc.wire;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.task.ProducerColumns;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskDeployment.Producer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Deployments as they are sent: a list of producers that several inputs read is sent once, in columns if it has them. The
 * receiver shares it in memory, too.
 *
 * @param tasks whose inputs have only producers that are not in the lists
 * @param producers the shared lists
 * @param producersOfInputs for each input of each task, in order, the number of its list, from 1; 0 when the input has its
 *     own producers. Empty when all have their own.
 */
public record SharedProducers(
        JobMasterId jobMaster, List<TaskDeployment> tasks, List<Producers> producers, List<Integer> producersOfInputs) {

    public SharedProducers {
        tasks = List.copyOf(tasks);
        producers = List.copyOf(producers);
        producersOfInputs = List.copyOf(producersOfInputs);
    }

    /**
     * One list.
     *
     * @param producers empty if there are columns
     * @param columns of a list that is stored in columns
     */
    public record Producers(List<Producer> producers, Optional<ProducerColumns> columns) {

        public Producers {
            producers = List.copyOf(producers);
        }

        private static Producers of(List<Producer> list) {
            Optional<ProducerColumns> columns = ProducerColumns.behind(list);
            return new Producers(columns.isPresent() ? List.of() : list, columns);
        }

        private List<Producer> list() {
            return columns.map(ProducerColumns::rows).orElse(producers);
        }
    }

    /** Lists are shared that are the same object, or stored in columns. */
    static SharedProducers of(Deployments deployments) {
        Map<List<Producer>, Integer> readers = new IdentityHashMap<>();
        deployments
                .tasks()
                .forEach(task -> task.inputs().forEach(input -> readers.merge(input.producers(), 1, Integer::sum)));
        readers.entrySet()
                .removeIf(list -> ProducerColumns.behind(list.getKey()).isEmpty()
                        && (list.getValue() == 1 || list.getKey().isEmpty()));
        if (readers.isEmpty()) {
            return new SharedProducers(deployments.jobMaster(), deployments.tasks(), List.of(), List.of());
        }
        Map<List<Producer>, Integer> numbers = new IdentityHashMap<>();
        List<Producers> lists = new ArrayList<>();
        List<Integer> ofInputs = new ArrayList<>();
        List<TaskDeployment> tasks = new ArrayList<>();
        for (TaskDeployment task : deployments.tasks()) {
            List<Input> inputs = new ArrayList<>();
            for (Input input : task.inputs()) {
                List<Producer> own = input.producers();
                if (!readers.containsKey(own)) {
                    ofInputs.add(0);
                    inputs.add(input);
                    continue;
                }
                ofInputs.add(numbers.computeIfAbsent(own, list -> {
                    lists.add(Producers.of(list));
                    return lists.size();
                }));
                inputs.add(with(input, List.of()));
            }
            tasks.add(with(task, inputs));
        }
        return new SharedProducers(deployments.jobMaster(), tasks, lists, ofInputs);
    }

    /** @throws IllegalArgumentException when an input has no number, or that of a list that is not there */
    Deployments deployments() {
        if (producersOfInputs.isEmpty()) {
            return new Deployments(jobMaster, tasks);
        }
        int count = tasks.stream().mapToInt(task -> task.inputs().size()).sum();
        if (producersOfInputs.size() != count) {
            throw new IllegalArgumentException("the tasks of a deployment have " + count + " inputs, and "
                    + producersOfInputs.size() + " numbers of their producers");
        }
        // One object each, so that inputs share it.
        List<List<Producer>> lists = producers.stream().map(Producers::list).toList();
        int next = 0;
        List<TaskDeployment> whole = new ArrayList<>();
        for (TaskDeployment task : tasks) {
            List<Input> inputs = new ArrayList<>();
            for (Input input : task.inputs()) {
                int number = producersOfInputs.get(next++);
                if (number < 0 || number > producers.size()) {
                    throw new IllegalArgumentException("an input of task " + task.attempt() + " has producers number "
                            + number + "; allowed is a number from 0 to " + producers.size());
                }
                inputs.add(number == 0 ? input : with(input, lists.get(number - 1)));
            }
            whole.add(with(task, inputs));
        }
        return new Deployments(jobMaster, whole);
    }

    private static Input with(Input input, List<Producer> producers) {
        return new Input(
                input.edge(),
                input.partitioning(),
                input.exchange(),
                input.producer(),
                producers,
                input.input(),
                input.output());
    }

    private static TaskDeployment with(TaskDeployment task, List<Input> inputs) {
        return new TaskDeployment(
                task.attempt(),
                task.jobName(),
                task.jobMaster(),
                task.dispatcher(),
                task.allocation(),
                task.runtime(),
                task.parallelism(),
                task.maxParallelism(),
                task.bundles(),
                task.operators(),
                inputs,
                task.outputs(),
                task.rendezvous());
    }
}

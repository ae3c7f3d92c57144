package io.berth.simulator.gateway;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.SlotReport.Slot;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.gateway.TaskExecutorGateway.JobMasterChange;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Late messages to one process of a worker, made from what it received before. A former ResourceManager requests a
 * slot, names a JobMaster, or ends the worker. The current one again requests a slot that has ended or was refused. A
 * former JobMaster frees slots of its successor, deploys into them, lists no slots, or disconnects. The current one
 * frees a slot that has ended, or deploys into one that it has returned.
 */
public final class LateMessagesToWorker implements LateMessages.Receiver {

    private static final String CAUSE = "late";
    /** No ResourceManager of a world makes this many allocations. */
    private static final int NEVER_MADE = 1_000_000;
    /** Executions of a JobMaster that its worker does not know. */
    private static final int NEVER_BEGUN = 1_000;

    private final TaskExecutorGateway worker;
    private final Supplier<Optional<SlotReport>> slots;
    private final SortedSet<FencingToken> resourceManagers = new TreeSet<>();
    private final SortedMap<JobId, SortedSet<FencingToken>> jobMasters = new TreeMap<>();
    private final SortedMap<JobId, TaskDeployment> deployed = new TreeMap<>();
    private final SortedSet<AllocationId> givenBack = new TreeSet<>();
    private final SortedMap<AllocationId, Slot> seen = new TreeMap<>();
    private final List<SlotRequest> requests = new ArrayList<>();
    private Optional<SlotRequest> requested = Optional.empty();
    private boolean speaking;

    /** @param worker the receiver */
    public LateMessagesToWorker(TaskExecutorGateway worker, Supplier<Optional<SlotReport>> slots) {
        this.worker = worker;
        this.slots = slots;
    }

    /** The worker answered a heartbeat. */
    public void answered(ResourceManagerId from) {
        resourceManagers.add(from.token());
    }

    public void observed(SlotRequests observed) {
        if (!speaking) {
            observed.requests().forEach(request -> {
                requested = Optional.of(request);
                requests.add(request);
                observed(request.job(), new JobMasterId(request.jobMaster().token()));
            });
        }
    }

    public void observed(AllocatedSlots allocated) {
        if (!speaking) {
            observed(allocated.job(), allocated.jobMaster());
        }
    }

    public void observed(Deployments deployments) {
        if (!speaking) {
            deployments.tasks().forEach(task -> deployed.put(task.attempt().job(), task));
        }
    }

    private void observed(JobId job, JobMasterId jobMaster) {
        jobMasters.computeIfAbsent(job, none -> new TreeSet<>()).add(jobMaster.token());
    }

    /** The owner of the slot returned it. */
    public void returned(AllocationId allocation) {
        givenBack.add(allocation);
    }

    /** The worker has these slots. */
    public void has(SlotReport report) {
        report.slots().forEach(slot -> seen.put(slot.allocation(), slot));
    }

    @Override
    public void receiveLate(RandomGenerator random) {
        Optional<SlotReport> there = slots.get();
        if (there.isEmpty()) {
            return;
        }
        speaking = true;
        has(there.get());
        if (resourceManagers.size() > 1) {
            former(
                    new ResourceManagerId(
                            resourceManagers.headSet(resourceManagers.last()).last()),
                    random);
        }
        if (!resourceManagers.isEmpty()) {
            present(new ResourceManagerId(resourceManagers.last()), there.get(), random);
        }
        SortedMap<JobId, List<Slot>> byJob = new TreeMap<>();
        there.get()
                .slots()
                .forEach(slot -> byJob.computeIfAbsent(slot.job(), none -> new ArrayList<>())
                        .add(slot));
        byJob.forEach((job, held) -> {
            Slot slot = held.get(random.nextInt(held.size()));
            SortedSet<FencingToken> former = jobMasters
                    .getOrDefault(job, new TreeSet<>())
                    .headSet(slot.jobMaster().token());
            if (!former.isEmpty()) {
                former(job, new JobMasterId(former.last()), slot);
            }
            present(job, slot, there.get(), random);
        });
        speaking = false;
    }

    private void former(ResourceManagerId from, RandomGenerator random) {
        requested.ifPresent(request -> {
            AllocationId allocation = new AllocationId(from.token().epoch(), NEVER_MADE + random.nextInt(NEVER_MADE));
            worker.requestSlots(new SlotRequests(
                    from,
                    List.of(new SlotRequest(
                            allocation,
                            request.job(),
                            request.jobMaster(),
                            request.unit(),
                            request.group(),
                            request.profile(),
                            request.decision()))));
            worker.jobMasterChanged(new JobMasterChange(from, request.job(), request.jobMaster(), true, CAUSE));
        });
        worker.disconnectResourceManager(from, CAUSE);
        worker.exit(from, true, CAUSE);
    }

    private void present(ResourceManagerId from, SlotReport there, RandomGenerator random) {
        List<SlotRequest> answered = requests.stream()
                .filter(request -> there.slots().stream()
                        .noneMatch(slot -> slot.allocation().equals(request.allocation())))
                .toList();
        if (!answered.isEmpty()) {
            worker.requestSlots(new SlotRequests(from, List.of(answered.get(random.nextInt(answered.size())))));
        }
    }

    private void former(JobId job, JobMasterId from, Slot slot) {
        worker.freeSlots(new SlotsToFree(job, from, List.of(slot.allocation()), CAUSE));
        Optional.ofNullable(deployed.get(job)).ifPresent(task -> {
            worker.deployTasks(new Deployments(from, List.of(into(slot.allocation(), task))));
            worker.cancelTasks(from, List.of(task.attempt()));
        });
        worker.heartbeatFromJobMaster(new AllocatedSlots(job, from, Long.MAX_VALUE, List.of(), Optional.empty()));
        worker.disconnectJobMaster(job, from, new InstanceId(Long.MAX_VALUE), true, CAUSE);
    }

    private void present(JobId job, Slot slot, SlotReport there, RandomGenerator random) {
        List<AllocationId> ended = new ArrayList<>();
        seen.values().stream()
                .filter(before -> before.job().equals(job) && before.jobMaster().equals(slot.jobMaster()))
                .filter(before ->
                        there.slots().stream().noneMatch(now -> now.allocation().equals(before.allocation())))
                .forEach(before -> ended.add(before.allocation()));
        if (!ended.isEmpty()) {
            AllocationId again = ended.get(random.nextInt(ended.size()));
            worker.freeSlots(new SlotsToFree(job, slot.jobMaster(), List.of(again), CAUSE));
        }
        Optional.ofNullable(deployed.get(job))
                .ifPresent(task -> there.slots().stream()
                        .filter(held -> held.job().equals(job) && givenBack.contains(held.allocation()))
                        .forEach(held -> worker.deployTasks(
                                new Deployments(held.jobMaster(), List.of(into(held.allocation(), task))))));
    }

    private static TaskDeployment into(AllocationId allocation, TaskDeployment task) {
        AttemptId attempt = task.attempt();
        return new TaskDeployment(
                new AttemptId(
                        attempt.job(),
                        attempt.chain(),
                        attempt.subtask(),
                        attempt.epoch(),
                        attempt.execution() + NEVER_BEGUN),
                task.jobName(),
                task.jobMaster(),
                task.dispatcher(),
                allocation,
                task.runtime(),
                task.parallelism(),
                task.maxParallelism(),
                task.bundles(),
                task.operators(),
                task.inputs(),
                task.outputs(),
                task.rendezvous());
    }
}

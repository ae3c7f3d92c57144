package io.berth.simulator.fault;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.rpc.InProcessRpc;
import io.berth.simulator.job.JobStore;
import io.berth.simulator.job.PooledWorld;
import io.berth.simulator.world.SimulatedLogs;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * What users do with the jobs of a simulated world, and requests that a ResourceManager could send but does not send
 * by itself.
 */
final class User {

    /** A block that arrives late must be over when the world, without faults, must have recovered. */
    private static final long MAX_BLOCK_MILLIS = 20_000;

    private static final long MAX_DRAIN_MILLIS = 30_000;
    private static final int MAX_LOG_BYTES = 1_000;

    private final World world;
    private final RandomGenerator random;
    private final InProcessRpc rpc;

    User(World world, RandomGenerator random) {
        this.world = world;
        this.random = random;
        this.rpc = world.observer();
    }

    private Optional<JobId> job() {
        List<JobStore.Stored> jobs = world.jobs.unfinished();
        return jobs.isEmpty()
                ? Optional.empty()
                : Optional.of(jobs.get(random.nextInt(jobs.size())).graph().id());
    }

    private void withJobMaster(JobId job, Consumer<JobMasterGateway> action) {
        world.election
                .leader(EndpointName.JOB_MASTERS)
                .ifPresent(leader -> rpc.resolve(leader.address(), EndpointName.jobMaster(job))
                        .thenAccept(jobMaster -> action.accept(rpc.jobMaster(jobMaster))));
    }

    /** Cancels a job, perhaps twice. */
    void cancelJob() {
        job().ifPresent(job -> withJobMaster(job, jobMaster -> {
            world.jobs.find(job).ifPresent(JobStore.Stored::cancelRequested);
            jobMaster.cancel("a user wants it");
            if (random.nextInt(3) == 0) {
                jobMaster.cancel("a user wants it very much");
            }
        }));
    }

    /** Changes what a job requires, perhaps twice. The Dispatcher has stored it and tells the JobMaster. */
    void changeRequirements() {
        List<JobStore.Stored> jobs = world.jobs.unfinished();
        if (!jobs.isEmpty()) {
            JobId job = jobs.get(random.nextInt(jobs.size())).graph().id();
            for (int times = 1 + random.nextInt(2); times > 0; times--) {
                world.jobs.changeBounds(job, random);
            }
        }
    }

    /** Reads the state. */
    void readState() {
        job().ifPresent(job -> withJobMaster(job, JobMasterGateway::details));
        world.serving(EndpointName.RESOURCE_MANAGER)
                .ifPresent(reference -> rpc.resourceManager(reference).clusterDetails(ClusterQuery.ALL));
    }

    /** Lists the logs of a job and reads one of them; without any, the own log of a worker. */
    void readLogs() {
        Optional<EndpointRef> resourceManager = world.serving(EndpointName.RESOURCE_MANAGER);
        Optional<JobId> job = job();
        if (resourceManager.isPresent() && job.isPresent()) {
            ResourceManagerGateway gateway = rpc.resourceManager(resourceManager.get());
            gateway.listLogs(LogFilter.of(job.get())).thenAccept(list -> {
                list.logs()
                        .forEach(log ->
                                checkLog(log.attempt().job().equals(job.get()), log, "in the list of " + job.get()));
                if (!list.logs().isEmpty()) {
                    readLog(gateway, list.logs().get(random.nextInt(list.logs().size())));
                } else if (!world.workers().isEmpty()) {
                    WorkerId worker = world.workers()
                            .get(random.nextInt(world.workers().size()))
                            .id();
                    gateway.readLog(worker, LogRequest.ofWorker(0, MAX_LOG_BYTES));
                }
            });
        }
    }

    private void readLog(ResourceManagerGateway gateway, TaskLogDetails log) {
        LogRequest request = LogRequest.ofTask(log.attempt().job(), log.log(), 0, MAX_LOG_BYTES);
        gateway.readLog(log.worker(), request)
                .thenAccept(part -> checkLog(
                        !part.found() || Arrays.equals(part.content(), SimulatedLogs.content(log.attempt())),
                        log,
                        "read as " + new String(part.content(), StandardCharsets.UTF_8)));
    }

    private void checkLog(boolean right, TaskLogDetails log, String where) {
        if (!right) {
            world.ledger.broken("L: log " + log + " is " + where);
        }
    }

    /** An operator blocks a worker, or its whole host, for some time, or unblocks it. */
    void blockOrUnblock() {
        List<Worker> workers = world.workers();
        Optional<EndpointRef> resourceManager = world.serving(EndpointName.RESOURCE_MANAGER);
        if (resourceManager.isEmpty() || workers.isEmpty()) {
            return;
        }
        Worker worker = workers.get(random.nextInt(workers.size()));
        ResourceManagerGateway gateway = rpc.resourceManager(resourceManager.get());
        switch (random.nextInt(5)) {
            case 0 -> gateway.unblockWorkers(worker.id().value());
            // Only in labeled worlds do jobs look at labels; in others they must change nothing.
            case 4 -> gateway.relabelWorkers(worker.id().value(), labels());
            case 1 -> gateway.blockWorkers(worker.address().host(), 1 + random.nextLong(MAX_BLOCK_MILLIS), "its host");
            default -> gateway.blockWorkers(worker.id().value(), 1 + random.nextLong(MAX_BLOCK_MILLIS), "itself");
        }
    }

    /** An operator drains a worker, or its whole host, with or without a deadline, or ends it. */
    void drainOrUndrain() {
        List<Worker> workers = world.workers();
        Optional<EndpointRef> resourceManager = world.serving(EndpointName.RESOURCE_MANAGER);
        if (resourceManager.isEmpty() || workers.isEmpty()) {
            return;
        }
        Worker worker = workers.get(random.nextInt(workers.size()));
        ResourceManagerGateway gateway = rpc.resourceManager(resourceManager.get());
        String target =
                random.nextInt(8) == 0 ? worker.address().host() : worker.id().value();
        switch (random.nextInt(5)) {
            case 0, 1 -> gateway.undrainWorkers(target);
            case 2 -> gateway.drainWorkers(target, new WorkerLeave(WorkerLeave.NO_DEADLINE, "an operator wants it"));
            default ->
                gateway.drainWorkers(target, new WorkerLeave(random.nextLong(MAX_DRAIN_MILLIS), "its host ends"));
        }
    }

    /** An operator ends all draining. */
    void undrainAll() {
        world.serving(EndpointName.RESOURCE_MANAGER)
                .ifPresent(resourceManager -> world.workers()
                        .forEach(worker -> rpc.resourceManager(resourceManager)
                                .undrainWorkers(worker.id().value())));
    }

    /** An operator moves a worker to the other pool, by its label. */
    void moveWorker() {
        List<Worker> workers = world.workers();
        Optional<EndpointRef> resourceManager = world.serving(EndpointName.RESOURCE_MANAGER);
        if (resourceManager.isEmpty() || workers.isEmpty()) {
            return;
        }
        Worker worker = workers.get(random.nextInt(workers.size()));
        boolean side = random.nextBoolean();
        rpc.resourceManager(resourceManager.get())
                .relabelWorkers(
                        worker.id().value(),
                        new LabelChange(
                                side ? new TreeMap<>(Map.of(PooledWorld.SIDE, "yes")) : new TreeMap<>(),
                                side ? List.of() : List.of(PooledWorld.SIDE),
                                new TreeMap<>(),
                                List.of()));
    }

    private LabelChange labels() {
        return new LabelChange(
                new TreeMap<>(Map.of("zone", "z" + random.nextInt(3))), List.of("rack"), new TreeMap<>(), List.of());
    }

    /** Asks a job for all its slots, in the name of the ResourceManager; the job may refuse. */
    void askForSlots() {
        Optional<EndpointRef> resourceManager = world.serving(EndpointName.RESOURCE_MANAGER);
        Optional<JobId> job = job();
        if (resourceManager.isEmpty() || job.isEmpty()) {
            return;
        }
        List<AllocationId> allocations = new ArrayList<>();
        for (Worker worker : world.workers()) {
            for (SlotReport.Slot slot : worker.slots().map(SlotReport::slots).orElse(List.of())) {
                if (slot.job().equals(job.get())) {
                    allocations.add(slot.allocation());
                }
            }
        }
        withJobMaster(
                job.get(),
                jobMaster -> jobMaster.requestSlotReturn(
                        new ResourceManagerId(resourceManager.get().token()),
                        allocations,
                        random.nextBoolean(),
                        "others need them"));
    }
}

package io.berth.core.dispatcher;

import io.berth.core.api.FencingToken;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcService;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The rest of a cluster as the Dispatcher sees it: a role that starts JobMasters, and those JobMasters. */
final class FakeCluster implements RpcService {

    static final RpcAddress ADDRESS = new RpcAddress("127.0.0.1", 7077);

    final List<JobMastersGateway.JobStart> started = new ArrayList<>();
    final Map<String, String> canceled = new LinkedHashMap<>();
    final Map<String, JobDetails> details = new LinkedHashMap<>();
    Optional<RpcException> startFailure = Optional.empty();
    Optional<RpcException> detailsFailure = Optional.empty();
    Optional<RpcException> cancelFailure = Optional.empty();
    boolean detailsHang;

    static FencingToken token(String job) {
        return new FencingToken(1, UUID.nameUUIDFromBytes(job.getBytes()));
    }

    @Override
    public RpcAddress address() {
        return ADDRESS;
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        return CompletableFuture.completedFuture(new EndpointRef(address, name, token(name.value())));
    }

    @Override
    public JobMastersGateway jobMasters(EndpointRef endpoint) {
        return start -> {
            if (startFailure.isPresent()) {
                return CompletableFuture.failedFuture(startFailure.get());
            }
            started.add(start);
            JobId job = start.graph().id();
            return CompletableFuture.completedFuture(
                    new EndpointRef(ADDRESS, EndpointName.jobMaster(job), token(job.value())));
        };
    }

    @Override
    public JobMasterGateway jobMaster(EndpointRef endpoint) {
        return new FakeJobMaster(endpoint.name().value().substring("job-master/".length()));
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, ResourceManagerGateway gateway) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMasterGateway gateway) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, JobMastersGateway gateway) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, TaskExecutorGateway gateway) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Served serve(EndpointName name, FencingToken token, DispatcherGateway gateway) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ResourceManagerGateway resourceManager(EndpointRef endpoint) {
        throw new UnsupportedOperationException();
    }

    @Override
    public TaskExecutorGateway taskExecutor(EndpointRef endpoint) {
        throw new UnsupportedOperationException();
    }

    @Override
    public DispatcherGateway dispatcher(EndpointRef endpoint) {
        throw new UnsupportedOperationException();
    }

    private final class FakeJobMaster implements JobMasterGateway {

        private final String job;

        FakeJobMaster(String job) {
            this.job = job;
        }

        @Override
        public CompletionStage<JobDetails> details() {
            if (detailsHang) {
                return new CompletableFuture<>();
            }
            return detailsFailure
                    .map(CompletableFuture::<JobDetails>failedFuture)
                    .orElseGet(() -> CompletableFuture.completedFuture(details.get(job)));
        }

        @Override
        public CompletionStage<Acknowledge> cancel(String cause) {
            if (cancelFailure.isPresent()) {
                return CompletableFuture.failedFuture(cancelFailure.get());
            }
            canceled.put(job, cause);
            return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
        }

        @Override
        public CompletionStage<RegistrationResponse> registerWorker(WorkerAtJob worker) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<AcceptedSlots> offerSlots(SlotOffers offers) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Acknowledge> failSlot(WorkerId worker, AllocationId allocation, String cause) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Acknowledge> updateTask(TaskUpdate update) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Acknowledge> reportSplits(AttemptId attempt, String vertex, List<byte[]> splits) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<SplitAnswer> nextSplit(AttemptId attempt, String vertex) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Acknowledge> heartbeatFromResourceManager(ResourceManagerId resourceManager) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Acknowledge> notEnoughResources(NotEnoughResources notice) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<List<AllocationId>> requestSlotReturn(
                ResourceManagerId resourceManager, List<AllocationId> allocations, String cause) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Acknowledge> disconnectWorker(WorkerId worker, String cause) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Acknowledge> disconnectResourceManager(
                ResourceManagerId resourceManager, String cause) {
            throw new UnsupportedOperationException();
        }
    }

    static JobMasterId jobMasterId(JobId job) {
        return new JobMasterId(token(job.value()));
    }
}

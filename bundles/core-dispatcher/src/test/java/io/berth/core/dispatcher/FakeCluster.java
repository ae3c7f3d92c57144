package io.berth.core.dispatcher;

import io.berth.core.api.FencingToken;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The rest of the cluster as the Dispatcher sees it: the processes that lead the role job-masters, and their
 * JobMasters.
 */
final class FakeCluster implements RpcService, RoleDirectory {

    static final RpcAddress ADDRESS = new RpcAddress("127.0.0.1", 7077);

    /** Starts that took effect, also those that found an existing JobMaster. */
    final List<JobMastersGateway.JobStart> started = new ArrayList<>();
    /** Number of JobMasters that were created, by job. */
    final Map<String, Integer> created = new LinkedHashMap<>();

    final Map<String, String> canceled = new LinkedHashMap<>();
    /** The requirements that each JobMaster was told. */
    final Map<String, List<ParallelismBounds>> bounds = new LinkedHashMap<>();

    final Map<String, JobDetails> details = new LinkedHashMap<>();
    /** Delayed answers to starts, while {@link #answersHang}. */
    final List<Runnable> lateAnswers = new ArrayList<>();

    Optional<RpcException> startFailure = Optional.empty();
    /** Starts take effect, but their answer is this failure. */
    Optional<RpcException> answerFailure = Optional.empty();

    Optional<RpcException> detailsFailure = Optional.empty();
    Optional<RpcException> cancelFailure = Optional.empty();
    Optional<RpcException> boundsFailure = Optional.empty();
    boolean detailsHang;
    boolean answersHang;
    boolean unreachable;
    Optional<DispatcherGateway> dispatcher = Optional.empty();
    /** The leading ResourceManager, if any. */
    Optional<ResourceManagerGateway> resourceManager = Optional.empty();

    private final Map<String, FencingToken> running = new LinkedHashMap<>();
    private final List<Runnable> followers = new ArrayList<>();
    private boolean led = true;
    private long leader = 1;
    private long counter;

    static FencingToken token(long epoch, String name) {
        return new FencingToken(epoch, UUID.nameUUIDFromBytes(name.getBytes()));
    }

    /** The process that leads the role dies together with its JobMasters. */
    void die() {
        running.clear();
        led = false;
        followers.forEach(Runnable::run);
    }

    /** Another process begins to lead the role, without JobMasters. */
    void lead() {
        running.clear();
        leader++;
        counter = 0;
        led = true;
        followers.forEach(Runnable::run);
    }

    /** Removes one JobMaster. */
    void lose(JobId job) {
        running.remove(job.value());
    }

    /** Adds a JobMaster that this cluster did not start. */
    JobMasterId addStray(JobId job) {
        running.put(job.value(), token(1, job.value()));
        return jobMasterId(job);
    }

    boolean runs(JobId job) {
        return running.containsKey(job.value());
    }

    JobMasterId jobMasterId(JobId job) {
        return new JobMasterId(running.get(job.value()));
    }

    @Override
    public Optional<RpcAddress> find(EndpointName role) {
        return led || !role.equals(EndpointName.JOB_MASTERS) ? Optional.of(ADDRESS) : Optional.empty();
    }

    @Override
    public AutoCloseable follow(EndpointName role, Runnable changed) {
        followers.add(changed);
        return () -> followers.remove(changed);
    }

    @Override
    public RpcAddress address() {
        return ADDRESS;
    }

    private static <T> CompletionStage<T> failed(RpcException.Kind kind, String message) {
        return CompletableFuture.failedFuture(new RpcException(kind, message));
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        if (unreachable || !led) {
            return failed(RpcException.Kind.UNREACHABLE, "nobody at 7077");
        }
        if (name.equals(EndpointName.JOB_MASTERS)) {
            return CompletableFuture.completedFuture(new EndpointRef(address, name, token(leader, "role")));
        }
        if (name.equals(EndpointName.RESOURCE_MANAGER)) {
            return resourceManager.isPresent()
                    ? CompletableFuture.completedFuture(new EndpointRef(address, name, token(leader, "rm")))
                    : failed(RpcException.Kind.NOT_FOUND, name + " is not served");
        }
        FencingToken token = running.get(job(name));
        return token == null
                ? failed(RpcException.Kind.NOT_FOUND, name + " is not served")
                : CompletableFuture.completedFuture(new EndpointRef(address, name, token));
    }

    private static String job(EndpointName name) {
        return name.value().substring("job-master/".length());
    }

    private JobMastersGateway startingJobs(EndpointRef endpoint) {
        return start -> {
            if (startFailure.isPresent()) {
                return CompletableFuture.failedFuture(startFailure.get());
            }
            if (!endpoint.token().equals(token(leader, "role"))) {
                return failed(RpcException.Kind.FENCED, "another term leads");
            }
            started.add(start);
            String job = start.graph().id().value();
            FencingToken token = running.computeIfAbsent(job, absent -> {
                created.merge(job, 1, Integer::sum);
                return token(leader * 1000 + ++counter, job);
            });
            EndpointRef answer = new EndpointRef(
                    ADDRESS, EndpointName.jobMaster(start.graph().id()), token);
            if (answerFailure.isPresent()) {
                return CompletableFuture.failedFuture(answerFailure.get());
            }
            if (!answersHang) {
                return CompletableFuture.completedFuture(answer);
            }
            CompletableFuture<EndpointRef> late = new CompletableFuture<>();
            lateAnswers.add(() -> late.complete(answer));
            return late;
        };
    }

    @Override
    public <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway) {
        dispatcher = Optional.of((DispatcherGateway) gateway);
        EndpointRef endpoint = new EndpointRef(ADDRESS, name, token);
        return new Served() {
            @Override
            public EndpointRef endpoint() {
                return endpoint;
            }

            @Override
            public void close() {
                dispatcher = dispatcher.filter(serving -> serving != gateway);
            }
        };
    }

    @Override
    public <G> G gateway(Class<G> type, EndpointRef endpoint) {
        if (type == JobMasterGateway.class) {
            return PartialGateway.of(type, new FakeJobMaster(endpoint));
        }
        return type.cast(type == JobMastersGateway.class ? startingJobs(endpoint) : resourceManager.orElseThrow());
    }

    private final class FakeJobMaster {

        private final EndpointRef endpoint;
        private final String job;

        FakeJobMaster(EndpointRef endpoint) {
            this.endpoint = endpoint;
            this.job = job(endpoint.name());
        }

        /** Empty when the call succeeds. */
        private Optional<RpcException> refusal() {
            FencingToken token = running.get(job);
            if (token == null) {
                return Optional.of(new RpcException(RpcException.Kind.NOT_FOUND, endpoint.name() + " is not served"));
            }
            return token.equals(endpoint.token())
                    ? Optional.empty()
                    : Optional.of(new RpcException(RpcException.Kind.FENCED, "another token"));
        }

        public CompletionStage<JobDetails> details() {
            if (detailsHang) {
                return new CompletableFuture<>();
            }
            return detailsFailure
                    .or(this::refusal)
                    .or(() -> details.containsKey(job)
                            ? Optional.empty()
                            : Optional.of(new RpcException(RpcException.Kind.DEADLINE, "no answer in time")))
                    .map(CompletableFuture::<JobDetails>failedFuture)
                    .orElseGet(() -> CompletableFuture.completedFuture(details.get(job)));
        }

        public CompletionStage<Acknowledge> cancel(String cause) {
            Optional<RpcException> failure = cancelFailure.or(this::refusal);
            if (failure.isPresent()) {
                return CompletableFuture.failedFuture(failure.get());
            }
            canceled.put(job, cause);
            return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
        }

        public CompletionStage<Acknowledge> changeBounds(ParallelismBounds changed) {
            Optional<RpcException> failure = boundsFailure.or(this::refusal);
            if (failure.isPresent()) {
                return CompletableFuture.failedFuture(failure.get());
            }
            bounds.computeIfAbsent(job, any -> new ArrayList<>()).add(changed);
            return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
        }
    }
}

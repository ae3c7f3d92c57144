package io.berth.simulator.oracle;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.gateway.CalledTaskExecutor;
import io.berth.simulator.gateway.LateDeclarations;
import io.berth.simulator.gateway.LateMessages;
import io.berth.simulator.gateway.LateOffers;
import io.berth.simulator.gateway.ObservedResourceManager;
import io.berth.simulator.gateway.WatchedJobMaster;
import io.berth.simulator.time.Incarnation;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The transport of a process, with observers of the endpoints that it serves and calls. */
public final class WatchedRpc implements RpcService {

    /** The observer; by default it lets everything pass. */
    private interface Between {

        default ResourceManagerGateway serves(ResourceManagerGateway gateway) {
            return gateway;
        }

        default TaskExecutorGateway serves(TaskExecutorGateway gateway) {
            return gateway;
        }

        @SuppressWarnings("unused")
        default JobMasterGateway serves(FencingToken token, JobMasterGateway gateway) {
            return gateway;
        }

        @SuppressWarnings("unused")
        default ResourceManagerGateway calls(EndpointRef endpoint, ResourceManagerGateway gateway) {
            return gateway;
        }

        default TaskExecutorGateway calls(TaskExecutorGateway gateway) {
            return gateway;
        }

        @SuppressWarnings("unused")
        default JobMasterGateway calls(EndpointRef endpoint, JobMasterGateway gateway) {
            return gateway;
        }
    }

    private final RpcService rpc;
    private final Between between;

    private WatchedRpc(RpcService rpc, Between between) {
        this.rpc = rpc;
        this.between = between;
    }

    /** @param watching created from the TaskExecutor when it is served */
    public static RpcService ofWorker(RpcService rpc, Function<TaskExecutorGateway, WatchedTaskExecutor> watching) {
        AtomicReference<@Nullable WatchedTaskExecutor> served = new AtomicReference<>();
        return new WatchedRpc(rpc, new Between() {
            @Override
            public TaskExecutorGateway serves(TaskExecutorGateway gateway) {
                WatchedTaskExecutor watched = watching.apply(gateway);
                served.set(watched);
                return watched.gateway();
            }

            @Override
            public ResourceManagerGateway calls(EndpointRef endpoint, ResourceManagerGateway gateway) {
                WatchedTaskExecutor watched = served.get();
                return watched == null ? gateway : watched.calling(endpoint, gateway);
            }

            @Override
            public JobMasterGateway calls(EndpointRef endpoint, JobMasterGateway gateway) {
                WatchedTaskExecutor watched = served.get();
                return watched == null ? gateway : watched.calling(endpoint, gateway);
            }
        });
    }

    public static RpcService ofJobMasters(RpcService rpc, Incarnation process, Ledger ledger, LateMessages lateWords) {
        ReturnedSlots givenBack = new ReturnedSlots(process, ledger);
        return new WatchedRpc(rpc, new Between() {
            @Override
            public JobMasterGateway serves(FencingToken token, JobMasterGateway gateway) {
                JobMasterGateway watched = WatchedJobMaster.of(gateway, new AcceptedOffers(process, ledger));
                JobMasterGateway hearsLate = WatchedJobMaster.of(watched, new LateOffers(process, lateWords));
                return WatchedJobMaster.of(hearsLate, givenBack.by(token, gateway));
            }

            @Override
            public ResourceManagerGateway calls(EndpointRef endpoint, ResourceManagerGateway gateway) {
                return ObservedResourceManager.of(gateway, givenBack);
            }

            @Override
            public TaskExecutorGateway calls(TaskExecutorGateway gateway) {
                return CalledTaskExecutor.of(gateway, givenBack);
            }
        });
    }

    /** @param returnPauseMillis how long a unit that was asked for slots is not asked again */
    public static RpcService ofResourceManager(
            RpcService rpc,
            Incarnation process,
            WatchedResourceManager watched,
            Ledger ledger,
            LateMessages lateWords,
            long returnPauseMillis) {
        LostJobMasters lost = new LostJobMasters(process, ledger);
        RequestedReturns returns = new RequestedReturns(process, ledger, watched, returnPauseMillis);
        return new WatchedRpc(rpc, new Between() {
            @Override
            public ResourceManagerGateway serves(ResourceManagerGateway gateway) {
                ResourceManagerGateway seen = watched.of(gateway);
                ResourceManagerGateway hearsLate =
                        ObservedResourceManager.of(seen, new LateDeclarations(seen, process, lateWords));
                return ObservedResourceManager.of(ObservedResourceManager.of(hearsLate, lost), returns);
            }

            @Override
            public TaskExecutorGateway calls(TaskExecutorGateway gateway) {
                return CalledTaskExecutor.of(watched.calling(gateway), lost);
            }

            @Override
            public JobMasterGateway calls(EndpointRef endpoint, JobMasterGateway gateway) {
                return WatchedJobMaster.of(WatchedJobMaster.of(gateway, lost.jobMaster(endpoint.token())), returns);
            }
        });
    }

    /** Calls to ResourceManagers and JobMasters go through these. */
    public static RpcService calling(
            RpcService rpc,
            UnaryOperator<ResourceManagerGateway> resourceManager,
            UnaryOperator<JobMasterGateway> jobMaster) {
        return new WatchedRpc(rpc, new Between() {
            @Override
            public ResourceManagerGateway calls(EndpointRef endpoint, ResourceManagerGateway gateway) {
                return resourceManager.apply(gateway);
            }

            @Override
            public JobMasterGateway calls(EndpointRef endpoint, JobMasterGateway gateway) {
                return jobMaster.apply(gateway);
            }
        });
    }

    @Override
    public RpcAddress address() {
        return rpc.address();
    }

    @Override
    public CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
        return rpc.resolve(address, name);
    }

    @Override
    public <G> Served serve(EndpointName name, FencingToken token, Class<G> type, G gateway) {
        Object watched = gateway;
        if (gateway instanceof ResourceManagerGateway resourceManager) {
            watched = between.serves(resourceManager);
        } else if (gateway instanceof JobMasterGateway jobMaster) {
            watched = between.serves(token, jobMaster);
        } else if (gateway instanceof TaskExecutorGateway worker) {
            watched = between.serves(worker);
        }
        return rpc.serve(name, token, type, type.cast(watched));
    }

    @Override
    public <G> G gateway(Class<G> type, EndpointRef endpoint) {
        Object called = rpc.gateway(type, endpoint);
        if (called instanceof ResourceManagerGateway resourceManager) {
            called = between.calls(endpoint, resourceManager);
        } else if (called instanceof JobMasterGateway jobMaster) {
            called = between.calls(endpoint, jobMaster);
        } else if (called instanceof TaskExecutorGateway worker) {
            called = between.calls(worker);
        }
        return type.cast(called);
    }
}

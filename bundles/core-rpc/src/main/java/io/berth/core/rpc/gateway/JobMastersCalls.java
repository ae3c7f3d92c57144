package io.berth.core.rpc.gateway;

import com.google.protobuf.MessageLite;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.rpc.proto.CommonProto;
import io.berth.core.rpc.proto.JobMastersProto;
import io.berth.core.rpc.wire.CommonWire;
import io.berth.core.rpc.wire.JobMasterWire;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The gateway of the role that runs JobMasters: its methods, and its stub. */
public final class JobMastersCalls {

    private static final RpcMethod<JobMastersGateway, EndpointRef> START_JOB = method(
            "StartJob",
            bytes -> {
                JobMastersGateway.JobStart start = JobMasterWire.from(JobMastersProto.JobStart.parseFrom(bytes));
                return gateway -> gateway.startJob(start);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.EndpointRef.parseFrom(bytes)));

    public static final List<RpcMethod<JobMastersGateway, ?>> ALL = List.of(START_JOB);

    private JobMastersCalls() {}

    private static <R> RpcMethod<JobMastersGateway, R> method(
            String name,
            RpcMethod.Reader<RpcMethod.Invocation<JobMastersGateway, R>> request,
            Function<R, MessageLite> answer,
            RpcMethod.Reader<R> answerReader) {
        return new RpcMethod<>(
                RpcProtocol.descriptor("JobMasters", name), JobMastersGateway.class, request, answer, answerReader);
    }

    /** The gateway as its callers see it. */
    public record Stub(EndpointRef endpoint, Caller caller) implements JobMastersGateway {

        @Override
        public CompletionStage<EndpointRef> startJob(JobMastersGateway.JobStart start) {
            return caller.call(endpoint, START_JOB, gateway -> gateway.startJob(start), () -> JobMasterWire.to(start));
        }
    }
}

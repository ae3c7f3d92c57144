package io.berth.core.rpc.gateway;

import com.google.protobuf.MessageLite;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.rpc.proto.CommonProto;
import io.berth.core.rpc.proto.DispatcherProto;
import io.berth.core.rpc.wire.CommonWire;
import io.berth.core.rpc.wire.DispatcherWire;
import io.berth.core.rpc.wire.JobWire;
import io.berth.spi.JobId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The Dispatcher's gateway: its methods, and its stub. */
public final class DispatcherCalls {

    private static final RpcMethod<DispatcherGateway, Acknowledge> JOB_CHANGED = method(
            "JobChanged",
            bytes -> {
                DispatcherProto.JobChange message = DispatcherProto.JobChange.parseFrom(bytes);
                JobId job = new JobId(message.getJob());
                JobMasterId jobMaster = CommonWire.jobMasterId(message.getJobMaster());
                JobDetails details = JobWire.from(message.getDetails());
                return gateway -> gateway.jobChanged(job, jobMaster, details);
            },
            CommonWire::to,
            bytes -> CommonWire.from(CommonProto.Acknowledge.parseFrom(bytes)));

    private static final RpcMethod<DispatcherGateway, DispatcherGateway.BundleChunk> READ_BUNDLE = method(
            "ReadBundle",
            bytes -> {
                DispatcherProto.BundleRange message = DispatcherProto.BundleRange.parseFrom(bytes);
                String sha256 = message.getSha256();
                long offset = message.getOffset();
                int length = message.getLength();
                return gateway -> gateway.readBundle(sha256, offset, length);
            },
            DispatcherWire::to,
            bytes -> DispatcherWire.from(DispatcherProto.BundleChunk.parseFrom(bytes)));

    public static final List<RpcMethod<DispatcherGateway, ?>> ALL = List.of(JOB_CHANGED, READ_BUNDLE);

    private DispatcherCalls() {}

    private static <R> RpcMethod<DispatcherGateway, R> method(
            String name,
            RpcMethod.Reader<RpcMethod.Invocation<DispatcherGateway, R>> request,
            Function<R, MessageLite> answer,
            RpcMethod.Reader<R> answerReader) {
        return new RpcMethod<>(
                RpcProtocol.descriptor("Dispatcher", name), DispatcherGateway.class, request, answer, answerReader);
    }

    /** The gateway as its callers see it. */
    public record Stub(EndpointRef endpoint, Caller caller) implements DispatcherGateway {

        @Override
        public CompletionStage<Acknowledge> jobChanged(JobId job, JobMasterId jobMaster, JobDetails details) {
            return caller.call(
                    endpoint,
                    JOB_CHANGED,
                    gateway -> gateway.jobChanged(job, jobMaster, details),
                    () -> DispatcherWire.change(job, jobMaster, details));
        }

        @Override
        public CompletionStage<DispatcherGateway.BundleChunk> readBundle(String sha256, long offset, int length) {
            return caller.call(
                    endpoint,
                    READ_BUNDLE,
                    gateway -> gateway.readBundle(sha256, offset, length),
                    () -> DispatcherWire.range(sha256, offset, length));
        }
    }
}

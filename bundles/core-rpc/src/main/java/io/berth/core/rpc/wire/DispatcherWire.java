package io.berth.core.rpc.wire;

import com.google.protobuf.ByteString;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.DispatcherGateway.BundleChunk;
import io.berth.core.api.job.JobDetails;
import io.berth.core.rpc.proto.DispatcherProto;
import io.berth.spi.JobId;

/** Messages of the Dispatcher's gateway. */
public final class DispatcherWire {

    private DispatcherWire() {}

    public static DispatcherProto.JobChange change(JobId job, JobMasterId jobMaster, JobDetails details) {
        return DispatcherProto.JobChange.newBuilder()
                .setJob(job.value())
                .setJobMaster(CommonWire.to(jobMaster))
                .setDetails(JobWire.to(details))
                .build();
    }

    public static DispatcherProto.BundleRange range(String sha256, long offset, int length) {
        return DispatcherProto.BundleRange.newBuilder()
                .setSha256(sha256)
                .setOffset(offset)
                .setLength(length)
                .build();
    }

    public static DispatcherProto.BundleChunk to(BundleChunk chunk) {
        return DispatcherProto.BundleChunk.newBuilder()
                .setContent(ByteString.copyFrom(chunk.content()))
                .build();
    }

    public static BundleChunk from(DispatcherProto.BundleChunk chunk) {
        return new BundleChunk(chunk.getContent().toByteArray());
    }
}

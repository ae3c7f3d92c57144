package io.berth.core.rpc.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WorkerAtJobTest {

    @Test
    void arrivesAsItWasSent() {
        FencingToken session = new FencingToken(3, new UUID(1, 2));
        WorkerId id = new WorkerId("w-1");
        WorkerAtJob worker = new WorkerAtJob(
                id,
                new WorkerSessionId(session),
                new EndpointRef(new RpcAddress("127.0.0.1", 7001), EndpointName.worker(id), session),
                "127.0.0.1:7002",
                ResourceProfile.of(1_500, 1L << 30),
                1_536);
        assertThat(JobMasterWire.from(JobMasterWire.to(worker))).isEqualTo(worker);
    }
}

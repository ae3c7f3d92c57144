package io.berth.core.api.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotPurpose;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SlotRequestsTest {

    private static final ResourceManagerId ID = new ResourceManagerId(new FencingToken(3, new UUID(1, 1)));
    private static final AllocationId[] ALLOCATIONS = {
        new AllocationId(3, 1), new AllocationId(3, 2), new AllocationId(3, 7)
    };

    private static SlotPurpose purpose(String job, ResourceProfile profile) {
        JobId id = new JobId(job);
        EndpointRef jobMaster = new EndpointRef(
                new RpcAddress("127.0.0.1", 1), EndpointName.jobMaster(id), new FencingToken(1, new UUID(2, 1)));
        return new SlotPurpose(id, jobMaster, "all", "group", profile, 12);
    }

    private static SlotRequest request(AllocationId allocation, SlotPurpose of) {
        return new SlotRequest(
                allocation, of.job(), of.jobMaster(), of.unit(), of.group(), of.profile(), of.decision());
    }

    @Test
    void columnsEqualAListOfRequests() {
        SlotPurpose small = purpose("a", ResourceProfile.of(100, 1));
        SlotPurpose large = purpose("b", ResourceProfile.of(2_000, 1 << 20));
        SlotRequests columns = SlotRequests.of(ID, ALLOCATIONS, new SlotPurpose[] {small, large, small});

        List<SlotRequest> each =
                List.of(request(ALLOCATIONS[0], small), request(ALLOCATIONS[1], large), request(ALLOCATIONS[2], small));
        assertThat(columns.requests()).containsExactlyElementsOf(each);
        assertThat(columns).isEqualTo(new SlotRequests(ID, each));
        assertThat(new SlotRequests(ID, each)).isEqualTo(columns);
        assertThat(columns).hasSameHashCodeAs(new SlotRequests(ID, each));
    }

    @Test
    void theReceiverCannotChangeColumns() {
        SlotPurpose small = purpose("a", ResourceProfile.of(100, 1));
        List<SlotRequest> requests = SlotRequests.of(ID, ALLOCATIONS, new SlotPurpose[] {small, small, small})
                .requests();

        assertThatThrownBy(() -> requests.remove(0)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> requests.set(0, requests.get(1))).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void eachAllocationNeedsAPurpose() {
        assertThatThrownBy(() -> SlotRequests.of(ID, ALLOCATIONS, new SlotPurpose[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("3 allocations have 2 purposes: the numbers must be equal");
    }
}

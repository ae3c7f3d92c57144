package io.berth.core.policies.swap;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import io.berth.testkit.FixedConfiguration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SwapSegmentsTest {

    @Test
    void aCauseKeepsNoRecordsThatAreNotKeptAnyMore() {
        SwapSegments shelf = new SwapSegments(3);
        SwapCause cause = new SwapCause(PolicyKind.SCALING, Optional.empty(), -1, "", PolicyEvent.USE, "a", 1, 0, 0, 0);
        for (int owner = 1; owner <= 1_000; owner++) {
            shelf.add(new Swap(
                    owner,
                    cause,
                    "job " + owner,
                    Swap.stamp(identity(1)),
                    Swap.stamp(identity(2)),
                    LedgerState.NONE,
                    0));
        }
        assertThat(cause.records).extracting(swap -> swap.number).containsExactly(998L, 999L, 1_000L);
        assertThat(shelf.newest(4)).extracting(SwapDetails::number).containsExactly(1_000L, 999L, 998L);
    }

    private static PolicyIdentity identity(long generation) {
        FakeRegistration registration = new FakeRegistration(1, PolicyKind.SCALING, "a", 0, Object::new);
        return new PolicyCandidate(
                        1, PolicyKind.SCALING, "a", 1, FixedConfiguration.empty(), registration, new Object())
                .identity(generation);
    }
}

package io.berth.benchmark.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.benchmark.admission.AdmissionCalls.Situation;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class AdmissionCallsTest {

    /** A policy that admits as it is told, and keeps the deltas. */
    private record Told(BiConsumer<DemandsView, AdmissionBuilder> admits, List<int[]> deltas)
            implements DistributionPolicyFactory {

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("told", "admits as it is told", List.of());
        }

        @Override
        public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
            return demands -> new AdmissionSession() {
                @Override
                public void delta(int[] changed) {
                    deltas.add(changed);
                }

                @Override
                public void admit(AdmissionBuilder result) {
                    admits.accept(demands, result);
                }

                @Override
                public void close() {
                    deltas.add(new int[0]);
                }
            };
        }
    }

    @Test
    void eachCallFindsOneOtherUnitThatWaits() {
        List<Long> submitted = new ArrayList<>();
        List<int[]> deltas = new ArrayList<>();
        Told policy = new Told(
                (demands, result) -> {
                    assertThat(demands.free(0)).isEqualTo(2_000);
                    assertThat(demands.capacity(0)).isEqualTo(2_000L * (3 + 1));
                    assertThat(demands.waitingSince(30)).isPresent();
                    submitted.add(demands.submissionIndex(30));
                    result.defer(30, "it is told so");
                },
                deltas);
        try (AdmissionCalls calls = AdmissionCalls.of(policy, Situation.backlog, 31, 0)) {
            calls.run();
            assertThat(calls.deferred()).isOne();
            assertThat(calls.admitted()).isZero();
            assertThat(calls.calls()).isEqualTo(1_000);
        }
        // The units that wait change one after the other, and the session is closed.
        assertThat(deltas).hasSize(1_001);
        assertThat(deltas.get(0)).containsExactly(3);
        assertThat(deltas.get(27)).containsExactly(30);
        assertThat(deltas.get(28)).containsExactly(3);
        assertThat(deltas.get(1_000)).isEmpty();
        assertThat(submitted).startsWith(30L).contains(31L + 27);
    }

    @Test
    void queuesHaveGuaranteesAndBelongToOthers() {
        Told policy = new Told(
                (demands, result) -> {
                    assertThat(demands.queues().size()).isEqualTo(1 + 3 + 7);
                    int queue = demands.queues().find(demands.queue(13));
                    assertThat(demands.queues().name(queue)).isEqualTo("queue-6");
                    int parent = demands.queues().parent(queue);
                    assertThat(demands.queues().name(parent)).isEqualTo("parent-0");
                    // Half of 42 cores for seven queues, of which 0, 3 and 6 have one parent.
                    assertThat(demands.queues().guaranteed(queue, 0)).isEqualTo(3_000);
                    assertThat(demands.queues().guaranteed(parent, 0)).isEqualTo(9_000);
                },
                new ArrayList<>());
        AdmissionCalls.of(policy, Situation.arrival, 20, 7).close();
    }

    @Test
    void aPolicyThatBreaksARuleIsNotMeasured() {
        Told policy = new Told((demands, result) -> result.admit(0, 0, 100), new ArrayList<>());
        assertThatThrownBy(() -> AdmissionCalls.of(policy, Situation.arrival, 5, 0))
                .hasMessageContaining("breaks a rule of admission: admits 100 slots");
    }
}

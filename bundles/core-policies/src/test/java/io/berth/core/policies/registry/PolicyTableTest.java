package io.berth.core.policies.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PolicyTableTest {

    private final Bench bench = new Bench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static FakeRegistration matching(long id, String name) {
        return new FakeRegistration(id, PolicyKind.MATCHING, name, 0, Object::new);
    }

    @Test
    void onlyTheLastRemovedPoliciesAreRemembered() {
        PolicyTable table = new PolicyTable();
        for (int policy = 1; policy <= PolicyTable.MAX_REMOVED + 2; policy++) {
            table.add(new RegisteredPolicy(matching(policy, "invented-" + policy)));
            table.remove(policy);
            // This policy comes and goes all the time. It is remembered, although it was among the first to be removed.
            table.add(new RegisteredPolicy(matching(100_000, "steady")));
            table.remove(100_000);
        }
        assertThat(table.isOlder(new RegisteredPolicy(matching(1, "invented-1"))))
                .isFalse();
        int last = PolicyTable.MAX_REMOVED + 2;
        assertThat(table.isOlder(new RegisteredPolicy(matching(last, "invented-" + last))))
                .isTrue();
        assertThat(table.isOlder(new RegisteredPolicy(matching(1, "steady")))).isTrue();
    }

    @Test
    void aBundleThatOffersTooManyPoliciesIsAcceptedUpToTheLimit() throws Exception {
        List<FakeRegistration> registrations = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            FakeRegistration registration =
                    new FakeRegistration(
                            i + 1,
                            PolicyKind.MATCHING,
                            "villain",
                            i,
                            () -> Bench.placing("villain", (workers, admitted, plan) -> {})) {
                        @Override
                        public String version() {
                            return "1.0.0";
                        }
                    };
            registrations.add(registration);
            bench.platform.registry().add(registration);
        }
        assertThat(bench.platform.policies()).hasSize(PolicyTable.MAX_OF_A_BUNDLE);
        registrations.forEach(registration -> bench.platform.registry().remove(registration.id()));
        assertThat(bench.platform.policies()).isEmpty();
        bench.platform.registry().add(registrations.get(99));
        bench.awaitState("villain", "deciding");
    }
}

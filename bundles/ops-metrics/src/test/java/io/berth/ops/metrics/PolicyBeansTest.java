package io.berth.ops.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.time.Pools;
import io.berth.spi.PolicyKind;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PolicyBeansTest {

    private final MBeanServer server = MBeanServerFactory.newMBeanServer();
    private final ExecutorService thread = Pools.fixed("test-beans", 1);
    private final FakeHost host = new FakeHost();

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    private Set<ObjectName> names() throws Exception {
        return server.queryNames(new ObjectName("io.berth:*"), null);
    }

    private static ObjectName firstFit() {
        return PolicyBeans.nameOf(PolicyKind.MATCHING, "first-fit");
    }

    @Test
    void beansAreRegisteredAndRemovedWithTheirPolicies() throws Exception {
        host.add(PolicyKind.MATCHING, "first-fit", 1);
        host.add(PolicyKind.MATCHING, "gone", 0);
        try (PolicyBeans beans = new PolicyBeans(server, host, () -> host.details, thread)) {
            await().until(() -> names().size() == 2);
            assertThat(server.isRegistered(firstFit())).isTrue();
            host.add(PolicyKind.SCALING, "odd, \"name\"*", 1);
            host.notifyFollowers();
            await().until(() -> names().size() == 3);
            assertThat(server.isRegistered(PolicyBeans.nameOf(PolicyKind.SCALING, "odd, \"name\"*")))
                    .isTrue();
            host.figures.remove(0);
            host.notifyFollowers();
            await().until(() -> !server.isRegistered(firstFit()));
        }
        assertThat(names()).isEmpty();
        assertThat(host.followers).isEmpty();
    }

    @Test
    void attributesAreReadAsOpenTypes() throws Exception {
        host.add(PolicyKind.MATCHING, "first-fit", 1);
        try (PolicyBeans beans = new PolicyBeans(server, host, () -> host.details, thread)) {
            await().until(() -> names().size() == 2);
            ObjectName name = firstFit();
            assertThat(server.getAttribute(name, "Decisions")).isEqualTo(33L);
            assertThat(server.getAttribute(name, "Calls")).isEqualTo(10L);
            assertThat(server.getAttribute(name, "Failures")).isEqualTo(7L);
            assertThat(server.getAttribute(name, "State")).isEqualTo("deciding");
            assertThat(server.getAttribute(name, "Bundle")).isEqualTo("test.first-fit");
            TabularData failures = (TabularData) server.getAttribute(name, "FailuresByKind");
            assertThat(failures.get(new Object[] {"threw"}).get("value")).isEqualTo(5L);
            CompositeData times = (CompositeData) server.getAttribute(name, "Times");
            assertThat(times.get("p99Micros")).isEqualTo(9_900.0);
            CompositeData[] calls = (CompositeData[]) server.getAttribute(name, "TimesByCall");
            assertThat(Arrays.stream(calls).map(call -> call.get("call"))).containsExactly("create", "place");
            ObjectName hostName = new ObjectName("io.berth:type=PolicyHost");
            assertThat(server.getAttribute(hostName, "Swaps")).isEqualTo(12L);
            assertThat(server.getAttribute(hostName, "Decisions")).isEqualTo(20L);
            assertThat(server.getAttribute(hostName, "Policies")).isEqualTo(1);
        }
    }
}

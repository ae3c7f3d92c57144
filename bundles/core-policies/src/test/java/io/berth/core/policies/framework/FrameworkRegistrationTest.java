package io.berth.core.policies.framework;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.meters.Meters;
import io.berth.core.policies.registration.GivenConfiguration;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.swap.SwapLog;
import io.berth.spi.PolicyKind;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.Version;

/** Bundles older than OSGi 4 have no symbolic name. */
class FrameworkRegistrationTest {

    private final Bundle nameless =
            answering(Bundle.class, Map.of("getBundleId", 7L, "getVersion", new Version(1, 2, 3)));

    /** A proxy that returns null from every method without an answer. */
    private static <T> T answering(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> answers.get(method.getName())));
    }

    @Test
    void aBundleWithoutANameIsNamedByItsId() {
        ServiceReference<?> reference =
                answering(ServiceReference.class, Map.of("getBundle", nameless, "getProperty", 5L));
        FrameworkRegistration registration =
                new FrameworkRegistration(answering(BundleContext.class, Map.of()), PolicyKind.MATCHING, reference);
        assertThat(registration.bundle()).isEqualTo("bundle-7");
        assertThat(registration.guard()).isEqualTo("bundle-7-1.2.3");
    }

    @Test
    void theRecordNamesABundleWithoutANameThatLosesItsWiring() {
        SwapLog log = new SwapLog(new SystemClock(), new Meters());
        FakeRegistration gone = new FakeRegistration(1, PolicyKind.MATCHING, "a", 0, Object::new) {
            @Override
            public long bundleId() {
                return 9;
            }
        };
        log.happened(gone, "matching a of b", PolicyEvent.UNINSTALL, "", 0);
        new BundleWatch(log).bundleChanged(new BundleEvent(BundleEvent.UNRESOLVED, nameless));
        PolicyCandidate candidate =
                new PolicyCandidate(1, PolicyKind.MATCHING, "a", 1, GivenConfiguration.none(), gone, new Object());
        log.swapped(
                PolicyKind.MATCHING,
                "pool default",
                Optional.of(candidate),
                Optional.of(candidate.identity(1)),
                Optional.empty(),
                Optional.empty(),
                false,
                LedgerState.NONE,
                0);
        assertThat(log.find(Optional.empty(), 10).get(0).refreshed().names()).isEqualTo(List.of("bundle-7"));
    }
}

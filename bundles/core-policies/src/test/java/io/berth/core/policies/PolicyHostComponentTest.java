package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.PolicyKind;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.Version;
import org.osgi.service.cm.ConfigurationAdmin;

class PolicyHostComponentTest {

    private static <T> T fake(Class<T> type, Function<Method, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == given[0];
                    default -> answers.apply(method);
                }));
    }

    private final Bundle bundle = fake(Bundle.class, method -> switch (method.getName()) {
        case "getBundleId" -> 7L;
        case "getSymbolicName" -> "policy";
        case "getVersion" -> new Version(1, 2, 3);
        case "getState" -> Bundle.ACTIVE;
        case "getLastModified" -> 1L;
        case "compareTo" -> 0;
        default -> null;
    });

    @SuppressWarnings("unchecked")
    private final ServiceReference<MatchingStrategyFactory> reference =
            fake(ServiceReference.class, method -> switch (method.getName()) {
                case "getBundle" -> bundle;
                case "getProperty" -> 5L;
                default -> null;
            });

    /** Runs in the middle of the activation of the component. */
    private Runnable meanwhile = () -> {};

    private final PolicyHostComponent host = new PolicyHostComponent(
            fake(BundleContext.class, method -> {
                if (method.getName().equals("addBundleListener")) {
                    meanwhile.run();
                }
                return method.getName().equals("getBundles") ? new Bundle[0] : null;
            }),
            fake(PolicyHostConfiguration.class, Method::getDefaultValue),
            fake(ConfigurationAdmin.class, method -> null));

    @Test
    void aPolicyThatIsRemovedDuringActivationLeavesNothing() {
        host.bindMatching(reference);
        meanwhile = () -> host.unbindPolicy(reference);
        host.activate();
        assertThat(host.diagnose(Optional.of(PolicyKind.MATCHING), Optional.empty()))
                .isEmpty();
        assertThat(host.policies()).isEmpty();
        host.deactivate();
    }

    @Test
    void aPolicyThatWasAddedBeforeActivationIsThereAfterwards() {
        host.bindMatching(reference);
        host.activate();
        assertThat(host.diagnose(Optional.of(PolicyKind.MATCHING), Optional.empty()))
                .hasSize(1);
        host.deactivate();
    }
}

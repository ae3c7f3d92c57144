package io.berth.worker.code;

import io.berth.core.api.time.Timers;
import io.berth.dataflow.api.Operator;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleRevision;

/**
 * Waits for the operators that bundles announce as capabilities: Declarative Services may register one shortly after
 * the start of its bundle, while it still stops another one.
 */
final class AnnouncedOperators implements ServiceListener {

    /**
     * An operator that is missing then never comes: its component is not satisfied, and the task that needs it says
     * so.
     */
    static final long MAX_MILLIS = 5_000;

    private final List<Bundle> bundles;
    private final CompletableFuture<Void> there = new CompletableFuture<>();

    private AnnouncedOperators(List<Bundle> bundles) {
        this.bundles = bundles;
    }

    /** Completes when all are registered, at the latest after {@link #MAX_MILLIS}; never fails. */
    static CompletionStage<Void> of(List<Bundle> bundles, BundleContext context, Timers timers) {
        AnnouncedOperators announced = new AnnouncedOperators(bundles);
        context.addServiceListener(announced);
        Timers.Cancellable end = timers.schedule(MAX_MILLIS, () -> announced.there.complete(null));
        announced.look();
        return announced.there.thenRun(() -> {
            end.cancel();
            context.removeServiceListener(announced);
        });
    }

    @Override
    public void serviceChanged(ServiceEvent event) {
        if (event.getType() == ServiceEvent.REGISTERED) {
            look();
        }
    }

    private void look() {
        if (bundles.stream().allMatch(AnnouncedOperators::isComplete)) {
            there.complete(null);
        }
    }

    private static boolean isComplete(Bundle bundle) {
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        if (revision == null || (revision.getTypes() & BundleRevision.TYPE_FRAGMENT) != 0) {
            return true;
        }
        Set<String> announced = revision.getDeclaredCapabilities(Operator.NAMESPACE).stream()
                .map(capability -> String.valueOf(capability.getAttributes().get("name")))
                .collect(Collectors.toCollection(TreeSet::new));
        if (announced.isEmpty() || bundle.getState() == Bundle.UNINSTALLED) {
            return true;
        }
        ServiceReference<?>[] services = bundle.getRegisteredServices();
        return (services == null ? Stream.<ServiceReference<?>>empty() : Arrays.stream(services))
                .map(service -> String.valueOf(service.getProperty(Operator.PROPERTY)))
                .collect(Collectors.toCollection(TreeSet::new))
                .containsAll(announced);
    }
}

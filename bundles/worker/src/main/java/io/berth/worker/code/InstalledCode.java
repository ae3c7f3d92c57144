package io.berth.worker.code;

import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleWiring;

/**
 * The operators of one job: services of its bundles that {@link Operator#PROPERTY} names, then those of the worker, never
 * those of another job. The runtime says which type they need. Getting a service may run code of the job, so it must not
 * happen on a main thread.
 */
final class InstalledCode implements UserCode.JobCode {

    private final BundleContext context;
    private final List<Bundle> bundles;
    /** One entry for each service that was obtained. */
    private final Queue<ServiceReference<?>> used = new ConcurrentLinkedQueue<>();

    InstalledCode(BundleContext context, List<Bundle> bundles) {
        this.context = context;
        this.bundles = List.copyOf(bundles);
    }

    @Override
    public Optional<Object> operator(String name) {
        Optional<ServiceReference<?>> found = reference(name);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Object service = context.getService(found.get());
        if (service == null) {
            // The framework logs what a factory or a component threw. It may work in another attempt.
            throw new IllegalStateException("the service of operator '" + name + "' of bundle "
                    + found.get().getBundle() + " is not there: it could not be activated, see the log of the worker,"
                    + " or was just unregistered");
        }
        used.add(found.get());
        return Optional.of(service);
    }

    @Override
    public ClassLoader classLoader(String operator) {
        Bundle owner = reference(operator).map(ServiceReference::getBundle).orElseGet(context::getBundle);
        return owner.adapt(BundleWiring.class).getClassLoader();
    }

    @Override
    public void close() {
        for (ServiceReference<?> next = used.poll(); next != null; next = used.poll()) {
            context.ungetService(next);
        }
    }

    private Optional<ServiceReference<?>> reference(String name) {
        return Stream.concat(bundles.stream().flatMap(InstalledCode::services), builtIn())
                .filter(service -> name.equals(service.getProperty(Operator.PROPERTY)))
                .findFirst();
    }

    private static Stream<ServiceReference<?>> services(Bundle bundle) {
        ServiceReference<?>[] services = bundle.getRegisteredServices();
        return services == null
                ? Stream.empty()
                : Arrays.stream(services).filter(service -> service.getProperty(Operator.PROPERTY) != null);
    }

    private Stream<ServiceReference<?>> builtIn() {
        try {
            ServiceReference<?>[] services = context.getServiceReferences(OperatorFactory.class.getName(), null);
            return services == null
                    ? Stream.empty()
                    : Arrays.stream(services)
                            .sorted()
                            .filter(service ->
                                    service.getBundle() != null && !JobIsolation.isOfJob(service.getBundle()));
        } catch (InvalidSyntaxException failure) {
            throw new IllegalStateException("there is no filter to be wrong", failure);
        }
    }
}

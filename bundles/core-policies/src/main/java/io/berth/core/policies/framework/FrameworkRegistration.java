package io.berth.core.policies.framework;

import io.berth.core.policies.registration.Registration;
import io.berth.policy.rules.PlainText;
import io.berth.spi.PolicyKind;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleWiring;

/** A factory service of the framework. */
public final class FrameworkRegistration implements Registration {

    private final BundleContext context;
    private final Bundle framework;
    private final ServiceReference<?> reference;
    private final PolicyKind kind;
    private final long id;
    private final String bundle;
    private final String version;
    private final long bundleId;
    private final Optional<Instance> instance;
    private boolean held;
    private boolean released;

    /** One of several policies of a factory. */
    private record Instance(String pid, String name, String obstacle) {}

    public FrameworkRegistration(BundleContext context, PolicyKind kind, ServiceReference<?> reference) {
        this(context, kind, reference, idOf(reference), Optional.empty());
    }

    private FrameworkRegistration(
            BundleContext context,
            PolicyKind kind,
            ServiceReference<?> reference,
            long id,
            Optional<Instance> instance) {
        this.context = context;
        this.framework = context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION);
        this.reference = reference;
        this.kind = kind;
        this.id = id;
        this.instance = instance;
        Bundle owner = reference.getBundle();
        this.bundle = owner == null ? "gone" : nameOf(owner);
        this.bundleId = owner == null ? -1 : owner.getBundleId();
        this.version = owner == null ? "0.0.0" : owner.getVersion().toString();
    }

    /**
     * Another policy of the same factory.
     *
     * @param obstacle why its configuration cannot be used; empty if it can
     */
    FrameworkRegistration instance(long instanceId, String pid, String name, String obstacle) {
        return new FrameworkRegistration(
                context, kind, reference, instanceId, Optional.of(new Instance(pid, name, obstacle)));
    }

    /** The service id of the factory. */
    long factoryId() {
        return idOf(reference);
    }

    /** The symbolic name; a bundle older than OSGi 4 has none. */
    static String nameOf(Bundle bundle) {
        String name = bundle.getSymbolicName();
        return name == null ? "bundle-" + bundle.getBundleId() : name;
    }

    public static long idOf(ServiceReference<?> reference) {
        return (Long) reference.getProperty(Constants.SERVICE_ID);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public PolicyKind kind() {
        return kind;
    }

    @Override
    public String name() {
        return instance.map(Instance::name).orElseGet(this::describedName);
    }

    @Override
    public boolean isInstance() {
        return instance.isPresent();
    }

    @Override
    public String pid() {
        return instance.map(Instance::pid).orElse(bundle);
    }

    @Override
    public String obstacle() {
        return instance.map(Instance::obstacle).orElse("");
    }

    @Override
    public String describedName() {
        return reference.getProperty("io.berth.policy.name") instanceof String text ? PlainText.cut(text) : "";
    }

    @Override
    public String bundle() {
        return bundle;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public long bundleId() {
        return bundleId;
    }

    @Override
    public int ranking() {
        return reference.getProperty(Constants.SERVICE_RANKING) instanceof Integer ranking ? ranking : 0;
    }

    @Override
    public SortedMap<String, Object> properties() {
        SortedMap<String, Object> properties = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String key : reference.getPropertyKeys()) {
            properties.put(key, reference.getProperty(key));
        }
        return properties;
    }

    @Override
    public ClassLoader loader() {
        Bundle owner = reference.getBundle();
        BundleWiring wiring = owner == null ? null : owner.adapt(BundleWiring.class);
        return wiring == null ? FrameworkRegistration.class.getClassLoader() : wiring.getClassLoader();
    }

    @Override
    public Object fetch() {
        Object service = context.getService(reference);
        if (service == null) {
            throw new IllegalStateException(
                    "the service of bundle " + bundle + " was unregistered or could not be created");
        }
        synchronized (this) {
            if (!released && !held) {
                held = true;
                return service;
            }
        }
        context.ungetService(reference);
        synchronized (this) {
            if (!released) {
                // Fetched again: counted once, so that one release is enough.
                return service;
            }
        }
        throw new IllegalStateException("the service of bundle " + bundle + " was unregistered while it was fetched");
    }

    @Override
    public boolean frameworkStops() {
        return framework.getState() == Bundle.STOPPING;
    }

    @Override
    public void release() {
        synchronized (this) {
            released = true;
            if (!held) {
                return;
            }
            held = false;
        }
        try {
            context.ungetService(reference);
        } catch (IllegalStateException ended) {
            // The framework released it when this bundle stopped.
        }
    }
}

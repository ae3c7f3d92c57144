package io.berth.core.policies;

import io.berth.core.policies.registration.Registration;
import io.berth.spi.PolicyKind;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A factory service without a framework. */
public class FakeRegistration implements Registration {

    /**
     * A class loader of its own, as a bundle has, so that the host does not blame the policy for what test classes do.
     */
    private final ClassLoader loader = new ClassLoader(FakeRegistration.class.getClassLoader()) {};

    private final long id;
    private final PolicyKind kind;
    private final String name;
    private final Supplier<Object> factory;
    public final AtomicInteger released = new AtomicInteger();
    public volatile int ranking;
    public volatile boolean frameworkStops;
    /** If empty, the policy has a bundle of its own. */
    public volatile String bundle = "";

    public volatile SortedMap<String, Object> extra = new TreeMap<>();

    public FakeRegistration(long id, PolicyKind kind, String name, int ranking, Supplier<Object> factory) {
        this.id = id;
        this.kind = kind;
        this.name = name;
        this.ranking = ranking;
        this.factory = factory;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public boolean frameworkStops() {
        return frameworkStops;
    }

    @Override
    public PolicyKind kind() {
        return kind;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String bundle() {
        return bundle.isEmpty() ? "test." + kind.label() + "." + name : bundle;
    }

    @Override
    public String version() {
        return "1.0." + id;
    }

    @Override
    public int ranking() {
        return ranking;
    }

    @Override
    public SortedMap<String, Object> properties() {
        SortedMap<String, Object> properties = new TreeMap<>(extra);
        properties.put("io.berth.policy.name", name);
        return properties;
    }

    @Override
    public ClassLoader loader() {
        return loader;
    }

    @Override
    public Object fetch() {
        return factory.get();
    }

    @Override
    public void release() {
        released.incrementAndGet();
    }
}

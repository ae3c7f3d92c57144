package io.berth.itests.operators;

import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Registers the operator {@code fails-once} in a worker. Runs in a bundle that a test creates. */
public final class FailsOnceActivator implements BundleActivator {

    @Override
    public void start(BundleContext context) {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(Operator.PROPERTY, "fails-once");
        context.registerService(OperatorFactory.class, new FailsOnce(), properties);
    }

    @Override
    public void stop(BundleContext context) {
        // The framework unregisters the service.
    }
}

package io.berth.itests.operators;

import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Registers the operators of workflows in a worker. Runs in a bundle that a test creates. */
public final class WorkflowActivator implements BundleActivator {

    @Override
    public void start(BundleContext context) {
        register(context, "workflow-begin", new WorkflowBegin());
        register(context, "workflow-step", new WorkflowStep());
        register(context, "workflow-end", new WorkflowEnd());
    }

    private static void register(BundleContext context, String name, OperatorFactory<?, ?> factory) {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(Operator.PROPERTY, name);
        context.registerService(OperatorFactory.class, factory, properties);
    }

    @Override
    public void stop(BundleContext context) {
        // The framework unregisters the services.
    }
}

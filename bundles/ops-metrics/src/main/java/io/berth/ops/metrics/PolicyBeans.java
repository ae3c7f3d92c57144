package io.berth.ops.metrics;

import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyMetrics.PolicyFigures;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an MBean registered for each policy and one for the host. Runs on a thread of its own, because an MBean server
 * may call other code during registration. There are as many beans as figures.
 */
final class PolicyBeans implements AutoCloseable {

    static final String DOMAIN = "io.berth";
    private static final Logger LOG = LoggerFactory.getLogger(PolicyBeans.class);

    private final MBeanServer server;
    private final PolicyMetrics metrics;
    private final Supplier<List<PolicyDetails>> details;
    private final ExecutorService thread;
    private final SortedMap<ObjectName, Object> registered = new TreeMap<>();
    private final AtomicBoolean due = new AtomicBoolean();
    private final PolicyMetrics.Following following;
    private boolean closed;

    /**
     * @param details of the current policies
     * @param thread one thread; ends with its owner
     */
    PolicyBeans(
            MBeanServer server, PolicyMetrics metrics, Supplier<List<PolicyDetails>> details, ExecutorService thread) {
        this.server = server;
        this.metrics = metrics;
        this.details = details;
        this.thread = thread;
        this.following = metrics.follow(this::changed);
        changed();
    }

    private void changed() {
        if (due.compareAndSet(false, true)) {
            try {
                thread.execute(this::follow);
            } catch (RejectedExecutionException ended) {
                LOG.debug("the metrics have ended");
            }
        }
    }

    private synchronized void follow() {
        due.set(false);
        if (closed) {
            return;
        }
        SortedMap<ObjectName, Object> wanted = new TreeMap<>();
        wanted.put(name("type=PolicyHost"), new PolicyHostBean(metrics));
        for (PolicyFigures figures : metrics.policyFigures()) {
            if (figures.registered() > 0) {
                wanted.put(
                        nameOf(figures.kind(), figures.name()),
                        new PolicyBean(figures.kind(), figures.name(), metrics, details));
            }
        }
        List<ObjectName> gone = new ArrayList<>(registered.keySet());
        gone.removeAll(wanted.keySet());
        gone.forEach(this::unregister);
        wanted.forEach((name, bean) -> {
            if (!registered.containsKey(name)) {
                register(name, bean);
            }
        });
    }

    static ObjectName nameOf(PolicyKind kind, String policy) {
        boolean plain = policy.matches("[A-Za-z0-9._-]+");
        return name("type=Policy,kind=" + kind.label() + ",name=" + (plain ? policy : ObjectName.quote(policy)));
    }

    private static ObjectName name(String properties) {
        try {
            return new ObjectName(DOMAIN + ":" + properties);
        } catch (MalformedObjectNameException impossible) {
            throw new IllegalStateException("name of an MBean: " + properties, impossible);
        }
    }

    private void register(ObjectName name, Object bean) {
        try {
            server.registerMBean(bean, name);
            registered.put(name, bean);
        } catch (JMException refused) {
            LOG.warn(
                    "MBean {} cannot be registered: {}; its figures are still in the metrics",
                    name,
                    refused.toString());
        }
    }

    private void unregister(ObjectName name) {
        registered.remove(name);
        try {
            server.unregisterMBean(name);
        } catch (JMException gone) {
            LOG.debug("MBean {} was gone already", name, gone);
        }
    }

    @Override
    public void close() {
        following.close();
        synchronized (this) {
            closed = true;
            List.copyOf(registered.keySet()).forEach(this::unregister);
        }
    }
}

package io.berth.ops.metrics;

import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.ops.metrics.MetricsConfiguration.Settings;
import java.lang.management.ManagementFactory;
import java.util.Hashtable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import javax.servlet.Servlet;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the metrics on the HTTP whiteboard and keeps the MBeans. Needs the policy host. Metrics of workers and jobs
 * need the roles in the same process.
 */
@Component(
        service = {},
        immediate = true,
        configurationPid = "io.berth.ops.metrics")
@Designate(ocd = MetricsConfiguration.class)
public final class MetricsComponent {

    private static final Logger LOG = LoggerFactory.getLogger(MetricsComponent.class);

    private final BundleContext context;
    private final PolicyMetrics metrics;
    private final PolicyOperations operations;
    private final PolicySheet policies;
    private final ClusterSheet cluster;
    private final ProcessSheet process;
    private final ExecutorService thread = Pools.fixed("berth-ops-metrics-beans", 1);
    private Optional<ServiceRegistration<Servlet>> servlet = Optional.empty();
    private Optional<PolicyBeans> beans = Optional.empty();

    @Activate
    public MetricsComponent(
            BundleContext context,
            MetricsConfiguration configuration,
            @Reference PolicyMetrics metrics,
            @Reference PolicyOperations operations,
            @Reference(cardinality = ReferenceCardinality.MULTIPLE, policyOption = ReferencePolicyOption.GREEDY)
                    List<ClusterOperations> clusters,
            @Reference(cardinality = ReferenceCardinality.MULTIPLE, policyOption = ReferencePolicyOption.GREEDY)
                    List<JobOperations> jobs) {
        this.context = context;
        this.metrics = metrics;
        this.operations = operations;
        this.policies = new PolicySheet(metrics, operations::policies, operations::choices, operations::shadows);
        this.cluster = new ClusterSheet(
                clusters.stream().findFirst().map(role -> () -> role.cluster(ClusterQuery.NUMBERS)),
                jobs.stream().findFirst().map(role -> role::jobs),
                new SystemClock());
        this.process = new ProcessSheet(context.getBundle().getVersion().toString());
        use(settings(configuration).orElse(Settings.DEFAULTS));
    }

    /** Applies a configuration completely or not at all. */
    @Modified
    synchronized void modified(MetricsConfiguration configuration) {
        settings(configuration).ifPresent(this::use);
    }

    private static Optional<Settings> settings(MetricsConfiguration configuration) {
        try {
            return Optional.of(Settings.of(configuration));
        } catch (RuntimeException refused) {
            LOG.error(
                    "configuration io.berth.ops.metrics: {}; the previous configuration stays in effect",
                    refused.getMessage());
            return Optional.empty();
        }
    }

    private synchronized void use(Settings settings) {
        servlet.ifPresent(ServiceRegistration::unregister);
        servlet = Optional.empty();
        if (settings.enabled()) {
            Hashtable<String, Object> properties = new Hashtable<>();
            properties.put("osgi.http.whiteboard.servlet.name", "berth-metrics");
            properties.put("osgi.http.whiteboard.servlet.pattern", settings.path());
            servlet = Optional.of(context.registerService(
                    Servlet.class,
                    new MetricsServlet(() -> scrape(settings.answerTimeoutMillis()), settings.hosts()),
                    properties));
        }
        if (!settings.beans()) {
            beans.ifPresent(PolicyBeans::close);
            beans = Optional.empty();
        } else if (beans.isEmpty()) {
            beans = Optional.of(
                    new PolicyBeans(ManagementFactory.getPlatformMBeanServer(), metrics, operations::policies, thread));
        }
    }

    private byte[] scrape(long timeoutMillis) throws InterruptedException {
        MetricFamilies sheet = new MetricFamilies();
        policies.write(sheet);
        cluster.write(sheet, timeoutMillis);
        process.write(sheet);
        return sheet.text();
    }

    @Deactivate
    synchronized void deactivate() {
        servlet.ifPresent(ServiceRegistration::unregister);
        servlet = Optional.empty();
        beans.ifPresent(PolicyBeans::close);
        beans = Optional.empty();
        thread.shutdown();
    }
}

package io.berth.worker;

import io.berth.core.api.task.TaskRuntime;
import io.berth.core.security.ClusterSecurity;
import io.berth.worker.settings.WorkerSettings;
import io.berth.worker.task.Tasks;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the worker of the process as soon as there is a task runtime. Settings come from the launcher as framework
 * properties; the launcher's services end the process, learn that the worker is up, and know the secrets.
 */
@Component(service = {})
public final class WorkerComponent implements Tasks.Runtimes {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerComponent.class);
    private static final int EXIT_FAILED = 1;

    private final SortedMap<String, TaskRuntime> runtimes = new ConcurrentSkipListMap<>();
    private final RunningWorker worker;

    /**
     * Starts the worker. When that fails, the process ends.
     *
     * @param exit ends the process with an exit code
     * @param started called when the worker is up
     * @param secrets from a name to its secret
     * @param lines redirects the lines of the logging library
     * @param security how peers are known
     * @param exchange the runtime whose data address the worker registers with
     */
    @Activate
    public WorkerComponent(
            BundleContext context,
            @Reference(target = "(berth.worker.role=exit)") IntConsumer exit,
            @Reference(target = "(berth.worker.role=started)") Runnable started,
            @Reference(target = "(berth.worker.role=secrets)") Function<String, Optional<String>> secrets,
            @Reference(target = "(berth.worker.role=log)") Consumer<UnaryOperator<OutputStream>> lines,
            @Reference ClusterSecurity security,
            @Reference(target = "(berth.runtime=dataflow)") TaskRuntime exchange)
            throws IOException {
        runtimes.put(exchange.name(), exchange);
        try {
            worker = new RunningWorker(
                    context, WorkerSettings.read(context::getProperty), security, exchange, this, secrets, lines, exit);
        } catch (IOException | RuntimeException | Error failure) {
            LOG.error("the worker does not start: {}; ending the process", failure.toString());
            exit.accept(EXIT_FAILED);
            throw failure;
        }
        started.run();
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addRuntime(TaskRuntime runtime) {
        runtimes.put(runtime.name(), runtime);
    }

    void removeRuntime(TaskRuntime runtime) {
        runtimes.remove(runtime.name(), runtime);
    }

    @Override
    public Optional<TaskRuntime> named(String name) {
        return Optional.ofNullable(runtimes.get(name));
    }

    @Override
    public List<String> names() {
        return List.copyOf(runtimes.keySet());
    }

    @Deactivate
    void deactivate() {
        worker.close();
    }
}

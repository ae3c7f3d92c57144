package io.berth.core.resources.settings;

import io.berth.core.api.task.RuntimeSettings;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configured settings of the runtime, for workers that are started from now on. Thread-safe. */
@Component(service = WorkerRuntime.class, configurationPid = "io.berth.runtime.dataflow")
@Designate(ocd = RuntimeConfiguration.class)
public final class WorkerRuntime {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerRuntime.class);

    /** Properties that OSGi and File Install add. */
    private static final Pattern FOREIGN = Pattern.compile("\\..*|(service|component|felix|org|osgi)\\..*");

    private volatile RuntimeSettings settings = RuntimeSettings.DEFAULTS;

    @Activate
    public WorkerRuntime(Map<String, Object> properties) {
        modified(properties);
    }

    @Modified
    public void modified(Map<String, Object> properties) {
        Map<String, String> given = new TreeMap<>();
        properties.forEach((key, value) -> {
            if (!FOREIGN.matcher(key).matches()) {
                given.put(key, String.valueOf(value));
            }
        });
        try {
            settings = RuntimeSettings.of(given);
        } catch (IllegalArgumentException refused) {
            LOG.error(
                    "io.berth.runtime.dataflow: {}; the previous configuration stays in effect", refused.getMessage());
        }
    }

    public RuntimeSettings settings() {
        return settings;
    }
}

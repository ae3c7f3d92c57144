package io.berth.core.policies;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what is wrong in the configuration of any Berth component: keys that no component reads, and values of a wrong
 * type, which the component would reject without naming the key. Runs on threads of ConfigurationAdmin.
 */
@Component(service = ConfigurationListener.class)
public final class ConfigurationCheck implements ConfigurationListener {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationCheck.class);
    private static final String PREFIX = "io.berth.";
    /** Added by ConfigurationAdmin and the file installer. */
    private static final List<String> FOREIGN =
            List.of("service.", "felix.", "component.", "osgi.", "org.apache.", ".");

    private final ConfigurationAdmin configurations;
    private final ServiceComponentRuntime components;

    @Activate
    public ConfigurationCheck(
            @Reference ConfigurationAdmin configurations, @Reference ServiceComponentRuntime components) {
        this.configurations = configurations;
        this.components = components;
        check("(service.pid=" + PREFIX + "*)");
    }

    @Override
    public void configurationEvent(ConfigurationEvent event) {
        if (event.getType() == ConfigurationEvent.CM_UPDATED && event.getPid().startsWith(PREFIX)) {
            check("(service.pid=" + event.getPid() + ")");
        }
    }

    private void check(String filter) {
        Configuration[] found;
        try {
            found = configurations.listConfigurations(filter);
        } catch (IOException | InvalidSyntaxException | IllegalStateException failure) {
            LOG.warn("configurations {} cannot be checked: {}", filter, failure.toString());
            return;
        }
        for (Configuration configuration : found == null ? new Configuration[0] : found) {
            Dictionary<String, Object> properties = configuration.getProperties();
            if (properties != null) {
                Map<String, Object> given = new TreeMap<>();
                Collections.list(properties.keys()).forEach(key -> given.put(key, properties.get(key)));
                known(configuration.getPid())
                        .map(known -> problems(given, known))
                        .orElse(List.of())
                        .forEach(problem -> LOG.warn("configuration {}: {}", configuration.getPid(), problem));
            }
        }
    }

    /** The keys that components of this PID read, with their defaults; empty when there is no such component. */
    private Optional<Map<String, Object>> known(String pid) {
        Map<String, Object> known = new TreeMap<>();
        for (ComponentDescriptionDTO component : components.getComponentDescriptionDTOs()) {
            if (List.of(component.configurationPid).contains(pid)) {
                known.putAll(component.properties);
            }
        }
        return known.isEmpty() ? Optional.empty() : Optional.of(known);
    }

    /** What is wrong, judged by the keys and types of the defaults. */
    static List<String> problems(Map<String, Object> given, Map<String, Object> known) {
        List<String> problems = new ArrayList<>();
        List<String> names =
                known.keySet().stream().filter(key -> !isForeign(key)).sorted().toList();
        given.forEach((key, value) -> {
            if (isForeign(key)) {
                return;
            }
            if (!names.contains(key)) {
                problems.add(key + " is not known and is ignored: known are " + String.join(", ", names));
                return;
            }
            allowed(String.valueOf(value).trim(), Objects.requireNonNull(known.get(key)))
                    .ifPresent(allowed -> problems.add(key + " is '" + value + "': " + allowed
                            + " is allowed; the previous value stays in effect"));
        });
        return problems;
    }

    private static boolean isForeign(String key) {
        return FOREIGN.stream().anyMatch(key::startsWith);
    }

    /** What is allowed instead of a value; empty when the value can be read like the default. */
    private static Optional<String> allowed(String value, Object otherwise) {
        try {
            if (otherwise instanceof Long) {
                Long.parseLong(value);
            } else if (otherwise instanceof Integer) {
                Integer.parseInt(value);
            } else if (otherwise instanceof Double) {
                Double.parseDouble(value);
            }
            return Optional.empty();
        } catch (NumberFormatException noNumber) {
            return Optional.of(otherwise instanceof Double ? "a number" : "a whole number");
        }
    }
}

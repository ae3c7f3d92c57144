package io.berth.core.policies;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Dictionary;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is configured for a PID, as texts; keys that configuration tools add for themselves are left out. */
record PolicyConfigurations(ConfigurationAdmin admin) {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyConfigurations.class);
    private static final List<String> TOOL_PREFIXES =
            List.of("service.", "felix.", "component.", "org.apache.karaf.", "org.apache.felix.", ".");

    SortedMap<String, String> of(String pid) {
        SortedMap<String, String> entries = new TreeMap<>();
        try {
            Configuration[] found = admin.listConfigurations("(service.pid=" + pid + ")");
            if (found == null || found.length == 0) {
                return entries;
            }
            Dictionary<String, Object> properties = found[0].getProperties();
            if (properties == null) {
                return entries;
            }
            for (String key : Collections.list(properties.keys())) {
                if (TOOL_PREFIXES.stream().noneMatch(key::startsWith)) {
                    entries.put(key, text(properties.get(key)));
                }
            }
        } catch (IOException | InvalidSyntaxException failure) {
            LOG.error("configuration {} cannot be read; the defaults hold", pid, failure);
        }
        return entries;
    }

    private static String text(Object value) {
        if (value instanceof Collection<?> several) {
            return String.join(",", several.stream().map(String::valueOf).toList());
        }
        if (value instanceof Object[] several) {
            return String.join(",", Arrays.stream(several).map(String::valueOf).toList());
        }
        return String.valueOf(value);
    }
}

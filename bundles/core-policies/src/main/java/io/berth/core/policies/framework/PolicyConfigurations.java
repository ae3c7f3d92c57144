package io.berth.core.policies.framework;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Dictionary;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * The configuration of a PID as texts, without keys that configuration tools add. A list becomes a text with commas. A
 * value is cut when it is longer than any allowed one.
 */
public record PolicyConfigurations(ConfigurationAdmin admin) {

    static final int MAX_CHARACTERS = 65_537;
    private static final List<String> TOOL_PREFIXES =
            List.of("service.", "felix.", "component.", "org.apache.karaf.", "org.apache.felix.", ".");

    /**
     * Empty when nothing is configured: the defaults apply.
     *
     * @throws UncheckedIOException when it cannot be read
     */
    public SortedMap<String, String> of(String pid) {
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
        } catch (IOException failure) {
            throw new UncheckedIOException(failure.getMessage(), failure);
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException("'" + pid + "' is no PID", impossible);
        }
        return entries;
    }

    /** PIDs of the configurations that begin with a prefix. */
    public List<String> pids(String prefix) {
        try {
            Configuration[] found = admin.listConfigurations("(service.pid=" + prefix + "*)");
            return found == null
                    ? List.of()
                    : Arrays.stream(found).map(Configuration::getPid).sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure.getMessage(), failure);
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException("'" + prefix + "' begins no PID", impossible);
        }
    }

    static String text(Object value) {
        if (value instanceof Collection<?> several) {
            return joined(several);
        }
        if (value instanceof Object[] several) {
            return joined(Arrays.asList(several));
        }
        String text = primitives(value);
        return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS);
    }

    private static String joined(Collection<?> several) {
        StringBuilder text = new StringBuilder();
        for (Iterator<?> values = several.iterator(); values.hasNext() && text.length() < MAX_CHARACTERS; ) {
            text.append(text.isEmpty() ? "" : ",").append(text(values.next()));
        }
        text.setLength(Math.min(text.length(), MAX_CHARACTERS));
        return text.toString();
    }

    private static String primitives(Object value) {
        String text;
        if (value instanceof int[] several) {
            text = Arrays.toString(several);
        } else if (value instanceof long[] several) {
            text = Arrays.toString(several);
        } else if (value instanceof double[] several) {
            text = Arrays.toString(several);
        } else if (value instanceof float[] several) {
            text = Arrays.toString(several);
        } else if (value instanceof boolean[] several) {
            text = Arrays.toString(several);
        } else if (value instanceof short[] several) {
            text = Arrays.toString(several);
        } else if (value instanceof byte[] several) {
            text = Arrays.toString(several);
        } else if (value instanceof char[] several) {
            text = Arrays.toString(several);
        } else {
            return String.valueOf(value);
        }
        return text.substring(1, text.length() - 1).replace(", ", ",");
    }
}

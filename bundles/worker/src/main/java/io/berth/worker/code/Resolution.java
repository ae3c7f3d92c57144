package io.berth.worker.code;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;

/** Explains why a bundle does not start. */
final class Resolution {

    private static final Pattern MISSING =
            Pattern.compile("missing requirement \\[[^\\]]*\\] (.+?)(?= \\[caused by| Unresolved requirements|$)");

    private Resolution() {}

    static String explain(Bundle bundle, BundleException failure) {
        String name = "bundle " + bundle.getSymbolicName() + " " + bundle.getVersion();
        if (failure.getType() != BundleException.RESOLVE_ERROR) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            return name + " does not start: " + cause;
        }
        // The last requirement in the message is the root cause.
        String missing = String.valueOf(failure.getMessage());
        Matcher matcher = MISSING.matcher(missing);
        String last = "";
        while (matcher.find()) {
            last = matcher.group(1);
        }
        return name + " does not resolve: missing requirement " + (last.isEmpty() ? missing : last)
                + "; add a bundle that provides it to the job's bundles";
    }
}

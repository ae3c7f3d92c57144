package io.berth.ops.metrics;

import java.util.List;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the metrics. */
@ObjectClassDefinition(name = "Berth metrics")
public @interface MetricsConfiguration {

    @AttributeDefinition(description = "Whether metrics are served over HTTP")
    boolean enabled() default true;

    @AttributeDefinition(description = "Where, on the port of the REST interface; letters, digits, / _ - only")
    String path() default "/metrics";

    @AttributeDefinition(description = "How long a scrape waits for the roles that know workers and jobs, in ms")
    long answer_timeout_ms() default 2_000;

    @AttributeDefinition(description = "Host names under which scrapes are answered, beside literal addresses")
    String[] hosts() default {"localhost"};

    @AttributeDefinition(description = "Whether policies are MBeans of domain io.berth")
    boolean beans_enabled() default true;

    /** The validated configuration. */
    record Settings(boolean enabled, String path, long answerTimeoutMillis, List<String> hosts, boolean beans) {

        static final Settings DEFAULTS = new Settings(true, "/metrics", 2_000, List.of("localhost"), true);

        public Settings {
            hosts = List.copyOf(hosts);
            if (!path.matches("(/[A-Za-z0-9_-]+)+")) {
                throw new IllegalArgumentException("path is '" + path
                        + "': allowed are parts of letters, digits, _ and -, each with a / before it");
            }
            if (path.equals("/v1") || path.startsWith("/v1/")) {
                throw new IllegalArgumentException("path is '" + path + "': /v1 is the REST interface");
            }
            if (path.equals("/health") || path.startsWith("/health/")) {
                throw new IllegalArgumentException("path is '" + path + "': /health is the health of the process");
            }
            if (answerTimeoutMillis < 1 || answerTimeoutMillis > 60_000) {
                throw new IllegalArgumentException(
                        "answer.timeout.ms is " + answerTimeoutMillis + ": allowed is 1 to 60000");
            }
        }

        static Settings of(MetricsConfiguration given) {
            return new Settings(
                    given.enabled(),
                    given.path(),
                    given.answer_timeout_ms(),
                    List.of(given.hosts()),
                    given.beans_enabled());
        }
    }
}

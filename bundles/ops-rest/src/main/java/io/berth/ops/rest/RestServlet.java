package io.berth.ops.rest;

import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.ops.rest.RestRouter.RestSettings;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.servlet.Servlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.http.whiteboard.propertytypes.HttpWhiteboardServletName;
import org.osgi.service.http.whiteboard.propertytypes.HttpWhiteboardServletPattern;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The REST interface on the HTTP whiteboard. It answers only requests that name this host and do not come from a page
 * of another site, so that no such page can act through a browser on this machine.
 */
@Component(service = Servlet.class, immediate = true, configurationPid = "io.berth.ops.rest")
@Designate(ocd = RestServlet.Configuration.class)
@HttpWhiteboardServletName("berth-rest")
@HttpWhiteboardServletPattern("/v1/*")
public final class RestServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(RestServlet.class);

    /** Configuration of the REST interface. */
    @ObjectClassDefinition(name = "Berth REST interface")
    public @interface Configuration {
        @AttributeDefinition(description = "How long an operation may take before it is answered with 503, in ms")
        long answer_timeout_ms() default 10_000;

        @AttributeDefinition(description = "How long a request body may take to come, in ms")
        long body_timeout_ms() default 60_000;

        @AttributeDefinition(description = "Largest job description, in bytes")
        int description_max_bytes() default 1_048_576;

        @AttributeDefinition(description = "Host names under which requests are answered, beside literal addresses")
        String[] hosts() default {"localhost"};
    }

    private final transient JobOperations jobs;
    private final transient ClusterOperations cluster;
    private final transient PolicyOperations policies;
    private final transient RoleOperations roles;
    private final String version;
    private final transient Json json = new Json();
    private transient volatile RestRouter router;
    private transient volatile List<String> hosts;
    private transient volatile long bodyTimeoutMillis;
    private final transient Clock clock = new SystemClock();

    @Activate
    public RestServlet(
            @Reference JobOperations jobs,
            @Reference ClusterOperations cluster,
            @Reference PolicyOperations policies,
            @Reference RoleOperations roles,
            BundleContext context,
            Configuration configuration) {
        this.jobs = jobs;
        this.cluster = cluster;
        this.policies = policies;
        this.roles = roles;
        this.version = context.getBundle().getVersion().toString();
        use(new RestSettings(10_000, 1_048_576), 60_000, List.of("localhost"));
        modified(configuration);
    }

    /** Applies a configuration completely or not at all: a bad one must not stop the interface. */
    @Modified
    void modified(Configuration configuration) {
        try {
            use(
                    new RestSettings(within("answer.timeout.ms", configuration.answer_timeout_ms(), 600_000), (int)
                            within("description.max.bytes", configuration.description_max_bytes(), 1 << 26)),
                    within("body.timeout.ms", configuration.body_timeout_ms(), 3_600_000),
                    List.of(configuration.hosts()));
        } catch (RuntimeException refusal) {
            LOG.error(
                    "configuration io.berth.ops.rest: {}; the previous configuration stays in effect",
                    refusal.getMessage());
        }
    }

    static long within(String key, long value, long maximum) {
        if (value < 1 || value > maximum) {
            throw new IllegalArgumentException(key + " is " + value + ": allowed is 1 to " + maximum);
        }
        return value;
    }

    private void use(RestSettings settings, long bodyMillis, List<String> names) {
        router = new RestRouter(jobs, cluster, policies, roles, json, version, settings);
        bodyTimeoutMillis = bodyMillis;
        hosts = names.stream().map(host -> host.trim().toLowerCase(Locale.ROOT)).toList();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<String> stranger = foreignHost(
                Optional.ofNullable(request.getHeader("Host")),
                Optional.ofNullable(request.getHeader("Origin")),
                hosts);
        RestResponse answer = stranger.isPresent()
                ? RestResponse.error(403, stranger.get())
                : read(request)
                        .map(router::handle)
                        .orElseGet(() -> RestResponse.error(400, "the address is malformed"));
        if (answer.body() instanceof RestResponse.Stream stream) {
            stream(stream, response);
            return;
        }
        HttpAnswers.write(answer, response, json);
    }

    /** A failure after the first bytes ends the connection, so that the client notices. */
    private void stream(RestResponse.Stream stream, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentType("application/octet-stream");
        try {
            stream.writeTo(response.getOutputStream());
        } catch (IllegalStateException nothing) {
            HttpAnswers.write(RestResponse.error(409, String.valueOf(nothing.getMessage())), response, json);
        }
    }

    /** Why a request is rejected: its host name is not one of this host, or it comes from a page of another site. */
    static Optional<String> foreignHost(Optional<String> host, Optional<String> origin, List<String> names) {
        String name = host.map(given -> given.replaceFirst(":[0-9]+$", "").toLowerCase(Locale.ROOT))
                .orElse("");
        boolean literal = name.matches("[0-9.]+") || name.startsWith("[");
        if (!literal && !names.contains(name)) {
            return Optional.of("host '" + name + "' is not known: add it to hosts in etc/io.berth.ops.rest.cfg");
        }
        if (origin.isPresent()) {
            try {
                if (!host.get().equalsIgnoreCase(URI.create(origin.get()).getAuthority())) {
                    return Optional.of("origin " + origin.get() + " is another site");
                }
            } catch (IllegalArgumentException malformed) {
                return Optional.of("the origin is malformed");
            }
        }
        return Optional.empty();
    }

    private Optional<RestRequest> read(HttpServletRequest request) throws IOException {
        try {
            List<String> path = new ArrayList<>();
            for (String part :
                    Optional.ofNullable(request.getPathInfo()).orElse("").split("/")) {
                if (!part.isEmpty()) {
                    path.add(part);
                }
            }
            long length = request.getContentLengthLong();
            return Optional.of(new RestRequest(
                    request.getMethod(),
                    path,
                    query(Optional.ofNullable(request.getQueryString()).orElse("")),
                    Optional.ofNullable(request.getContentType())
                            .map(type -> type.split(";", 2)[0].trim().toLowerCase(Locale.ROOT)),
                    length < 0 ? Optional.empty() : Optional.of(length),
                    Optional.ofNullable(request.getHeader("Idempotency-Key")).map(String::strip),
                    new TimedBody(request.getInputStream(), clock, bodyTimeoutMillis)));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /** Read here, because the container would read the body for it. */
    static Map<String, String> query(String text) {
        Map<String, String> query = new LinkedHashMap<>();
        for (String pair : text.split("&")) {
            if (!pair.isEmpty()) {
                String[] parts = pair.split("=", 2);
                query.putIfAbsent(
                        URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                        parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            }
        }
        return query;
    }
}

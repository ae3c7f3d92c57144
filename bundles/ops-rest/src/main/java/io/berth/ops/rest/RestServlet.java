package io.berth.ops.rest;

import io.berth.core.api.access.TokenOperations;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.ops.rest.RestRouter.RestSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
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

    private static final String FIRST_TOKEN = "admin.token";
    /** How much of the body of a refused request is read, and by how many threads at a time. */
    private static final int MAX_REST_BYTES = 64 << 10;

    private static final int MAX_READING = 4;
    private static final String NONE = "none";
    private static final String TOKEN = "token";
    /** Headers that proxies add. */
    private static final List<String> FORWARDING = List.of("Forwarded", "X-Forwarded-For", "Via");

    /** What applies to a request from its begin to its end. */
    private record Serving(RestRouter router, boolean authenticates, long bodyTimeoutMillis, List<String> hosts) {}

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

        @AttributeDefinition(
                description = "How users prove who they are: none or token; empty: as before, none at the start")
        String authentication() default "";

        @AttributeDefinition(description = "File for the first token of an admin; empty: data/berth/admin.token")
        String admin_token_file() default "";
    }

    private final transient JobOperations jobs;
    private final transient ClusterOperations cluster;
    private final transient PolicyOperations policies;
    private final transient RoleOperations roles;
    private final transient TokenOperations tokens;
    private final transient BundleContext context;
    private final String version;
    private final transient Json json = new Json();
    private transient volatile Serving serving;
    private final transient Semaphore reading = new Semaphore(MAX_READING);
    private final transient Clock clock = new SystemClock();

    @Activate
    public RestServlet(
            @Reference JobOperations jobs,
            @Reference ClusterOperations cluster,
            @Reference PolicyOperations policies,
            @Reference RoleOperations roles,
            @Reference TokenOperations tokens,
            BundleContext context,
            Configuration configuration) {
        this.jobs = jobs;
        this.cluster = cluster;
        this.policies = policies;
        this.roles = roles;
        this.tokens = tokens;
        this.context = context;
        this.version = context.getBundle().getVersion().toString();
        // When the configuration is refused at the start, nobody gets in who may not according to it.
        serving = serving(
                new RestSettings(
                        10_000,
                        1_048_576,
                        !List.of("", NONE)
                                .contains(configuration.authentication().strip())),
                60_000,
                List.of("localhost"));
        modified(configuration);
    }

    /** Applies a configuration completely or not at all: a bad one must not stop the interface. */
    @Modified
    void modified(Configuration configuration) {
        boolean before = serving.authenticates();
        try {
            boolean byToken = isByToken(configuration.authentication().strip(), before);
            Path tokenFile = tokenFile(configuration.admin_token_file().strip());
            serving = serving(
                    new RestSettings(
                            within("answer.timeout.ms", configuration.answer_timeout_ms(), 600_000),
                            (int) within("description.max.bytes", configuration.description_max_bytes(), 1 << 26),
                            byToken),
                    within("body.timeout.ms", configuration.body_timeout_ms(), 3_600_000),
                    List.of(configuration.hosts()));
            if (byToken) {
                new FirstToken(tokens, tokenFile).make();
            } else if (before) {
                LOG.warn("Users of REST need no token anymore");
            }
        } catch (RuntimeException refusal) {
            LOG.error(
                    "configuration io.berth.ops.rest: {}; the previous configuration stays in effect",
                    refusal.getMessage());
        }
    }

    /** A key that is missing changes nothing, since a file that is gone must not let everybody in. */
    private static boolean isByToken(String authentication, boolean before) {
        return switch (authentication) {
            case "" -> before;
            case NONE -> false;
            case TOKEN -> true;
            default ->
                throw new IllegalArgumentException(
                        "authentication is '" + authentication + "': allowed are none and token");
        };
    }

    private Path tokenFile(String configured) {
        return configured.isEmpty()
                ? Optional.ofNullable(context.getProperty("karaf.data"))
                        .map(data -> Path.of(data, "berth", FIRST_TOKEN))
                        .orElseGet(() -> context.getDataFile(FIRST_TOKEN).toPath())
                : Path.of(configured);
    }

    static long within(String key, long value, long maximum) {
        if (value < 1 || value > maximum) {
            throw new IllegalArgumentException(key + " is " + value + ": allowed is 1 to " + maximum);
        }
        return value;
    }

    private Serving serving(RestSettings settings, long bodyMillis, List<String> names) {
        return new Serving(
                new RestRouter(jobs, cluster, policies, roles, tokens, json, version, settings),
                settings.authenticates(),
                bodyMillis,
                names.stream().map(host -> host.trim().toLowerCase(Locale.ROOT)).toList());
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Serving now = serving;
        Optional<String> stranger = foreignHost(
                        Optional.ofNullable(request.getHeader("Host")),
                        Optional.ofNullable(request.getHeader("Origin")),
                        now.hosts())
                .or(() -> exposed(
                        Optional.ofNullable(request.getLocalAddr()),
                        FORWARDING.stream().anyMatch(header -> request.getHeader(header) != null),
                        now.authenticates(),
                        request.isSecure()));
        RestResponse answer = stranger.isPresent()
                ? RestResponse.error(403, stranger.get())
                : read(request, now.bodyTimeoutMillis())
                        .map(now.router()::handle)
                        .orElseGet(() -> RestResponse.error(400, "the address is malformed"));
        if (answer.body() instanceof RestResponse.Stream stream) {
            stream(stream, response);
            return;
        }
        if (answer.status() >= 400 && !isRead(request)) {
            response.setHeader("Connection", "close");
        }
        HttpAnswers.write(answer, response, json);
    }

    /**
     * Whether nothing of the body is left, if need be by reading it. The container closes a connection with a rest, and a client
     * that reuses it could not know whether its next request was read. Few threads do that at a time, because who is refused may
     * be slow on purpose.
     */
    private boolean isRead(HttpServletRequest request) {
        if (request.getContentLengthLong() > MAX_REST_BYTES
                || request.getHeader("Expect") != null
                || !reading.tryAcquire()) {
            return false;
        }
        try {
            return request.getInputStream().readNBytes(MAX_REST_BYTES + 1).length <= MAX_REST_BYTES;
        } catch (IOException unread) {
            return false;
        } finally {
            reading.release();
        }
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

    /** Why a request is rejected that may come from another host: anyone there could read or send anything. */
    static Optional<String> exposed(
            Optional<String> localAddress, boolean forwarded, boolean authenticates, boolean secure) {
        boolean here = localAddress.filter(RestServlet::isLoopback).isPresent();
        if (here && !forwarded || authenticates && (here || secure)) {
            return Optional.empty();
        }
        return Optional.of((here ? "a proxy forwards the request" : "other hosts can reach this address")
                + ": there, REST answers only with authentication = token in etc/io.berth.ops.rest.cfg"
                + (here ? "" : ", and over https") + "; see docs/users.md");
    }

    private static boolean isLoopback(String address) {
        try {
            // It is a literal, so nothing is looked up. None counts as loopback there.
            return !address.isEmpty() && InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException noLiteral) {
            return false;
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

    private Optional<RestRequest> read(HttpServletRequest request, long bodyTimeoutMillis) throws IOException {
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
                    Optional.ofNullable(request.getHeader("Authorization")).map(String::strip),
                    Optional.empty(),
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

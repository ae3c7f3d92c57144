package io.berth.ops.health;

import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.operations.RoleOperations.RoleDetails;
import io.berth.core.api.rpc.EndpointName;
import io.berth.ops.health.ProcessHealth.Health;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.servlet.Servlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.http.whiteboard.propertytypes.HttpWhiteboardServletName;
import org.osgi.service.http.whiteboard.propertytypes.HttpWhiteboardServletPattern;

/**
 * Answers {@code /health/live}, {@code /health/ready} and {@code /health/leader} with 200 or 503, in each process of the
 * control plane. An answer names roles and nothing else of the cluster, because everybody who reaches the port may ask.
 */
@Component(service = Servlet.class, immediate = true)
@HttpWhiteboardServletName("berth-health")
@HttpWhiteboardServletPattern("/health/*")
public final class HealthServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private transient volatile @Nullable RoleOperations roles;
    private transient volatile @Nullable JobOperations jobs;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void setRoles(RoleOperations service) {
        roles = service;
    }

    void unsetRoles(RoleOperations service) {
        if (roles == service) {
            roles = null;
        }
    }

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void setJobs(JobOperations service) {
        jobs = service;
    }

    void unsetJobs(JobOperations service) {
        if (jobs == service) {
            jobs = null;
        }
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        boolean head = request.getMethod().equals("HEAD");
        if (!head && !request.getMethod().equals("GET")) {
            response.setHeader("Allow", "GET, HEAD");
            write(response, 405, text("health is read with GET", List.of()), false);
            return;
        }
        Optional<Health> health = health(
                Optional.ofNullable(request.getPathInfo()).orElse(""),
                Optional.ofNullable(request.getParameter("role")));
        if (health.isEmpty()) {
            write(
                    response,
                    404,
                    text("allowed are /health/live, /health/ready and /health/leader?role=ROLE", List.of()),
                    head);
            return;
        }
        boolean well = health.get().isWell();
        String status = (well ? "" : "not ") + health.get().well();
        write(response, well ? 200 : 503, text(status, health.get().problems()), head);
    }

    private Optional<Health> health(String path, Optional<String> role) {
        Optional<List<RoleDetails>> known = Optional.ofNullable(roles).map(RoleOperations::roles);
        boolean serves = jobs != null;
        return switch (path) {
            case "/live" -> Optional.of(ProcessHealth.live());
            case "/ready" -> Optional.of(ProcessHealth.ready(known, serves));
            case "/leader" -> ProcessHealth.leader(role.orElse(EndpointName.DISPATCHER.value()), known, serves);
            default -> Optional.empty();
        };
    }

    /** As JSON. The texts are those of this bundle, with names of roles, so nothing needs an escape. */
    private static String text(String status, List<String> problems) {
        return "{\"status\": \"" + status + "\""
                + (problems.isEmpty()
                        ? ""
                        : problems.stream().collect(Collectors.joining("\", \"", ", \"problems\": [\"", "\"]")))
                + "}\n";
    }

    private static void write(HttpServletResponse response, int status, String text, boolean head) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("application/json;charset=utf-8");
        response.setContentLength(bytes.length);
        if (!head) {
            response.getOutputStream().write(bytes);
        }
    }
}

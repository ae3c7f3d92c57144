package io.berth.ops.health;

import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.operations.RoleOperations.RoleDetails;
import io.berth.core.api.rpc.EndpointName;
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

    private static final List<String> ROLES = List.of(
            EndpointName.DISPATCHER.value(), EndpointName.RESOURCE_MANAGER.value(), EndpointName.JOB_MASTERS.value());

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

    /**
     * An answer.
     *
     * @param text as JSON
     */
    record Answer(int status, String text) {}

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean head = request.getMethod().equals("HEAD");
        Answer answer = answer(
                head ? "GET" : request.getMethod(),
                Optional.ofNullable(request.getPathInfo()).orElse(""),
                Optional.ofNullable(request.getParameter("role")));
        byte[] bytes = answer.text().getBytes(StandardCharsets.UTF_8);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setStatus(answer.status());
        if (answer.status() == 405) {
            response.setHeader("Allow", "GET, HEAD");
        }
        response.setContentType("application/json;charset=utf-8");
        response.setContentLength(bytes.length);
        if (!head) {
            response.getOutputStream().write(bytes);
        }
    }

    Answer answer(String method, String path, Optional<String> role) {
        if (!method.equals("GET")) {
            return refused(405, "health is read with GET");
        }
        String name = role.orElse(EndpointName.DISPATCHER.value());
        return switch (path) {
            case "/live" -> new Answer(200, "{\"status\": \"live\"}\n");
            case "/ready" -> judged("ready", ProcessHealth.ready(known(), serves()));
            case "/leader" ->
                ROLES.contains(name)
                        ? judged("leads", ProcessHealth.leader(name, known(), serves()))
                        : refused(
                                404,
                                "role is '" + name.replaceAll("[^A-Za-z0-9._-]", "?") + "': allowed are "
                                        + String.join(", ", ROLES));
            default -> refused(404, "allowed are /health/live, /health/ready and /health/leader?role=ROLE");
        };
    }

    private List<RoleDetails> known() {
        RoleOperations service = roles;
        return service == null ? List.of() : service.roles();
    }

    private boolean serves() {
        JobOperations service = jobs;
        return service != null && service.isReady();
    }

    /** The texts are those of this bundle, so nothing needs an escape. */
    private static Answer judged(String well, List<String> problems) {
        return problems.isEmpty()
                ? new Answer(200, "{\"status\": \"" + well + "\"}\n")
                : new Answer(
                        503,
                        problems.stream()
                                .collect(Collectors.joining(
                                        "\", \"", "{\"status\": \"not " + well + "\", \"problems\": [\"", "\"]}\n")));
    }

    private static Answer refused(int status, String error) {
        return new Answer(status, "{\"error\": \"" + error + "\"}\n");
    }
}

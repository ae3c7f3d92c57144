package io.berth.ops.rest;

import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.operations.RoleOperations.Here;
import io.berth.core.api.rpc.EndpointName;
import java.io.IOException;
import javax.servlet.Servlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.http.whiteboard.propertytypes.HttpWhiteboardServletName;
import org.osgi.service.http.whiteboard.propertytypes.HttpWhiteboardServletPattern;

/**
 * What the REST interface answers where no Dispatcher serves. {@link RestServlet} has the same pattern and a higher ranking,
 * so it answers instead while it is there. The answer does not say where the leader is, because it goes to everybody.
 */
@Component(service = Servlet.class, immediate = true, property = "service.ranking:Integer=-1")
@HttpWhiteboardServletName("berth-rest-standby")
@HttpWhiteboardServletPattern("/v1/*")
public final class StandbyServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** Misdirected Request: another process answers this (RFC 9110, 15.5.20). Nothing was done. */
    static final int MISDIRECTED = 421;

    private final transient RoleOperations roles;
    private final transient Json json = new Json();

    @Activate
    public StandbyServlet(@Reference RoleOperations roles) {
        this.roles = roles;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpAnswers.write(answer(roles), response, json);
    }

    static RestResponse answer(RoleOperations roles) {
        boolean elsewhere = roles.roles().stream()
                .filter(role -> role.role().equals(EndpointName.DISPATCHER.value()))
                .anyMatch(role -> !role.here().equals(Here.LEADS.label())
                        && !role.leader().isEmpty());
        return elsewhere
                ? RestResponse.error(
                        MISDIRECTED,
                        "this process is a standby, the dispatcher leads in another one: ask that one, or name all of"
                                + " them, separated by commas")
                : RestResponse.error(503, "no dispatcher serves here yet; try again");
    }
}

package io.berth.ops.rest;

import java.io.IOException;
import javax.servlet.Servlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.http.whiteboard.propertytypes.HttpWhiteboardServletName;
import org.osgi.service.http.whiteboard.propertytypes.HttpWhiteboardServletPattern;

/**
 * What the REST interface answers where no Dispatcher serves. {@link RestServlet} has the same pattern and a higher ranking,
 * so it answers instead while it is there. The answer tells nothing of the cluster, so everybody may have it.
 */
@Component(service = Servlet.class, immediate = true, property = "service.ranking:Integer=-1")
@HttpWhiteboardServletName("berth-rest-standby")
@HttpWhiteboardServletPattern("/v1/*")
public final class StandbyServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** Misdirected Request (RFC 9110, 15.5.20): nothing was done here. */
    private static final int MISDIRECTED = 421;

    private final transient Json json = new Json();

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpAnswers.write(
                RestResponse.error(
                        MISDIRECTED,
                        "no dispatcher serves in this process, or not yet; if another process leads, ask that one"),
                response,
                json);
    }
}

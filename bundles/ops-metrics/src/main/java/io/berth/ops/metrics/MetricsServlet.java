package io.berth.ops.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers scrapes: GET and HEAD, at most two at once, only under a name of this host, so that no page of another site
 * can read metrics through a browser on this machine. Thread-safe.
 */
final class MetricsServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(MetricsServlet.class);
    private static final int MAX_AT_ONCE = 2;

    /** Makes the text of one scrape. */
    interface Scrape {
        byte[] text() throws InterruptedException;
    }

    private final transient Scrape scrape;
    private final transient List<String> hosts;
    private final transient Semaphore running = new Semaphore(MAX_AT_ONCE);

    MetricsServlet(Scrape scrape, List<String> hosts) {
        this.scrape = scrape;
        this.hosts =
                hosts.stream().map(host -> host.trim().toLowerCase(Locale.ROOT)).toList();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        boolean head = request.getMethod().equals("HEAD");
        Optional<String> stranger = foreignHost(Optional.ofNullable(request.getHeader("Host")), hosts);
        if (stranger.isPresent()) {
            refuse(response, 403, stranger.get());
        } else if (!head && !request.getMethod().equals("GET")) {
            response.setHeader("Allow", "GET, HEAD");
            refuse(response, 405, request.getMethod() + " is not allowed here: metrics are read with GET");
        } else if (!running.tryAcquire()) {
            response.setHeader("Retry-After", "1");
            refuse(response, 503, MAX_AT_ONCE + " scrapes are being answered: try again in a second");
        } else {
            try {
                answer(response, head, scrape.text());
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                refuse(response, 503, "the metrics are shutting down");
            } catch (RuntimeException failure) {
                LOG.error("a scrape failed", failure);
                refuse(response, 500, "the metrics could not be collected; the log of the control plane says why");
            } finally {
                running.release();
            }
        }
    }

    private static void answer(HttpServletResponse response, boolean head, byte[] text) throws IOException {
        response.setStatus(200);
        response.setContentType(MetricFamilies.CONTENT_TYPE);
        response.setContentLength(text.length);
        if (!head) {
            response.getOutputStream().write(text);
        }
    }

    private static void refuse(HttpServletResponse response, int status, String why) throws IOException {
        byte[] text = (why + "\n").getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("text/plain;charset=utf-8");
        response.setContentLength(text.length);
        response.getOutputStream().write(text);
    }

    /** Why a request is rejected: its host name is not one of this host. */
    static Optional<String> foreignHost(Optional<String> host, List<String> names) {
        String name = host.map(given -> given.replaceFirst(":[0-9]+$", "").toLowerCase(Locale.ROOT))
                .orElse("");
        boolean literal = name.matches("[0-9.]+") || name.startsWith("[");
        return literal || names.contains(name)
                ? Optional.empty()
                : Optional.of("host '" + name + "' is not known: add it to hosts in etc/io.berth.ops.metrics.cfg");
    }
}

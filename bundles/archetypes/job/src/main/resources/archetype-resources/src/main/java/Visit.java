package ${package};

import java.time.Instant;

/**
 * One visit of a page.
 *
 * @param millis how long the page took
 */
public record Visit(Instant at, String page, long millis) {}

package ${package};

/**
 * What the visits of a page sum up to. The components are the columns of the CSV file.
 *
 * @param totalMillis how long all visits took
 * @param slowestMillis how long the slowest one took
 */
public record PageSums(String page, long visits, long totalMillis, long slowestMillis) {

    static PageSums none(String page) {
        return new PageSums(page, 0, 0, 0);
    }

    PageSums plus(Visit visit) {
        return new PageSums(
                page, visits + 1, totalMillis + visit.millis(), Math.max(slowestMillis, visit.millis()));
    }
}

package io.berth.ops.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.time.Instant;

/** Why a job waits, for people: the current and the first cause. */
final class ReasonTree {

    private static final String NOTHING = "NONE";

    private ReasonTree() {}

    /** The reason code; empty for a job that does not wait. */
    static String code(JsonNode reason) {
        String code = reason.path("code").asText();
        return code.equals(NOTHING) ? "" : code;
    }

    /** Prints nothing for a job that does not wait. */
    static void print(JsonNode waiting, PrintStream out) {
        JsonNode current = waiting.path("current");
        JsonNode first = waiting.path("first");
        if (code(current).isEmpty()) {
            return;
        }
        out.println();
        out.println("waits since " + time(waiting.path("currentMillis")) + " for");
        print(current, "  ", out);
        if (first.equals(current)) {
            out.println("that was the first cause");
        } else {
            out.println("first cause, of " + time(waiting.path("firstMillis")));
            print(first, "  ", out);
        }
    }

    private static void print(JsonNode reason, String indent, PrintStream out) {
        int count = reason.path("count").asInt();
        String text = reason.path("text").asText().replaceAll("\\p{Cntrl}", " ");
        out.println(indent
                + reason.path("code").asText()
                + (count == 0 ? "" : " " + count)
                + (text.isEmpty() ? "" : ": " + text));
        for (JsonNode cause : reason.path("causes")) {
            print(cause, indent + "  ", out);
        }
    }

    private static Instant time(JsonNode millis) {
        return Instant.ofEpochMilli(millis.asLong());
    }
}

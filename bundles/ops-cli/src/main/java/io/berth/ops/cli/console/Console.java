package io.berth.ops.cli.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Consumer;

/** What each command gets from the command line. */
public interface Console {

    Terminal terminal();

    /** The control plane that the options or the environment name. */
    Api api();

    /** Whether results are written as JSON. */
    boolean json();

    /** Prints an answer as it is, or as a table. */
    void print(Api api, JsonNode answer, Consumer<JsonNode> asTable);
}

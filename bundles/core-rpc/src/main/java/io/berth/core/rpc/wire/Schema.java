package io.berth.core.rpc.wire;

import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The services in the {@code .proto} files. They are read from resources of this bundle because the generated classes
 * omit services.
 */
public final class Schema {

    private static final String MESSAGES = "io.berth.core.rpc.proto.";
    private static final Pattern RPC =
            Pattern.compile("^ {2}rpc (\\w+)\\((\\w+)\\) returns \\((\\w+)\\);", Pattern.MULTILINE);
    private static final Pattern IMPORT = Pattern.compile("^import \"(\\w+)\\.proto\";", Pattern.MULTILINE);

    private Schema() {}

    /** A method of a service. */
    public record Rpc(String name, Class<? extends MessageLite> request, Class<? extends MessageLite> answer) {}

    /**
     * The methods of a service, in the order of its file. The file is named after the service and contains only this
     * one.
     */
    public static List<Rpc> service(String service) {
        String file = service.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
        String text = read(file + ".proto");
        List<String> files = new ArrayList<>(List.of(file));
        IMPORT.matcher(text).results().forEach(line -> files.add(line.group(1)));
        List<Rpc> methods = new ArrayList<>();
        Matcher rpc = RPC.matcher(text);
        while (rpc.find()) {
            methods.add(new Rpc(rpc.group(1), message(rpc.group(2), files), message(rpc.group(3), files)));
        }
        return methods;
    }

    private static String read(String file) {
        try (InputStream content = Schema.class.getResourceAsStream("/" + file)) {
            if (content == null) {
                throw new IllegalStateException(
                        "resource /" + file + " is missing: a gateway needs a schema of its name");
            }
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Class<? extends MessageLite> message(String name, List<String> files) {
        for (String file : files) {
            StringBuilder outer = new StringBuilder();
            for (String word : file.split("_")) {
                outer.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
            }
            try {
                return Class.forName(MESSAGES + outer + "Proto$" + name).asSubclass(MessageLite.class);
            } catch (ClassNotFoundException elsewhere) {
                // The class may be in one of the next files.
            }
        }
        throw new IllegalStateException("message " + name + " is in none of the schemas " + files);
    }
}

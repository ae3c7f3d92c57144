package io.berth.core.rpc;

import com.google.protobuf.MessageLite;
import io.berth.spi.AllocationId;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Messages as text for people, with ids in their usual form. */
final class MessageText {

    private static final Pattern ALLOCATION = Pattern.compile("\\{ epoch: (-?[0-9]+) number: (-?[0-9]+) }");
    private static final Pattern TOKEN = Pattern.compile("\\{ epoch: (-?[0-9]+) id: \"(?:[^\"\\\\]|\\\\.)*\" }");
    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern COLON = Pattern.compile("([a-z0-9_]): ");

    private MessageText() {}

    /** All fields that differ from their defaults, in one line; tokens are shown by their epoch. */
    static String of(MessageLite message) {
        // The first line has the class and an address in memory.
        String line = message.toString().lines().skip(1).map(String::strip).collect(Collectors.joining(" "));
        line = ALLOCATION
                .matcher(line)
                .replaceAll(
                        id -> new AllocationId(Long.parseLong(id.group(1)), Long.parseLong(id.group(2))).toString());
        line = TOKEN.matcher(line).replaceAll(token -> Long.toString(Long.parseLong(token.group(1)), 36));
        line = QUOTED.matcher(line).replaceAll("$1");
        return COLON.matcher(line).replaceAll("$1 ");
    }
}

package io.berth.core.api.operations;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Makes foreign text, such as the message of a task's exception, safe for a terminal. Thread-safe. */
public final class PlainText {

    private static final Pattern CONTROL_CHARACTERS =
            Pattern.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]");

    private PlainText() {}

    /**
     * The text with a blank for each character that a terminal would interpret: escapes and changes of text direction.
     */
    public static String of(String text) {
        return CONTROL_CHARACTERS.matcher(text).replaceAll(" ");
    }

    /** A stream that prints everything as plain text. */
    public static PrintStream stream(PrintStream out) {
        return new PrintStream(out, true, StandardCharsets.UTF_8) {

            @Override
            public void print(String text) {
                super.print(of(String.valueOf(text)));
            }

            @Override
            public void println(String text) {
                super.println(of(String.valueOf(text)));
            }

            @Override
            public void println(Object value) {
                println(String.valueOf(value));
            }

            @Override
            public PrintStream append(CharSequence text) {
                print(String.valueOf(text));
                return this;
            }
        };
    }
}

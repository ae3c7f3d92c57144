package io.berth.core.api.operations;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Text of others, such as the message of a task's exception, as a terminal may show it. For any thread. */
public final class PlainText {

    private static final Pattern STEERING =
            Pattern.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]");

    private PlainText() {}

    /** The text with blanks in the place of what a terminal would act on: escapes, and changes of direction. */
    public static String of(String text) {
        return STEERING.matcher(text).replaceAll(" ");
    }

    /** Prints what it is given as plain text. */
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

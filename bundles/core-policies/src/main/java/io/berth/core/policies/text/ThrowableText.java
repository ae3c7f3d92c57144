package io.berth.core.policies.text;

/**
 * Class, message and place of a throwable, for people. Runs on a guarded thread, because its methods may be foreign
 * code.
 */
public final class ThrowableText {

    private ThrowableText() {}

    public static String of(Throwable failure) {
        String name = failure.getClass().getName();
        try {
            StackTraceElement[] stack = failure.getStackTrace();
            String place = stack.length == 0 ? "" : " at " + stack[0];
            String message = failure.getMessage();
            return PlainText.cut(name + (message == null ? "" : ": " + message) + place);
        } catch (Throwable hostile) {
            return PlainText.cut(name);
        }
    }
}

package io.berth.core.policies.text;

import io.berth.policy.rules.PlainText;

/**
 * Class, message and place of a throwable, for people. Runs on a guarded thread, because its methods may be foreign
 * code.
 */
public final class ThrowableText {

    private static final int MAX_FRAMES = 50;
    private static final int MAX_CAUSES = 5;

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

    /** The same with its frames and those of its causes, at most {@link #MAX_FRAMES} of each, a line for each frame. */
    public static String withStack(Throwable failure) {
        StringBuilder text = new StringBuilder(of(failure));
        try {
            text.append(frames(failure.getStackTrace()));
            Throwable cause = failure.getCause();
            for (int nth = 0; cause != null && nth < MAX_CAUSES; nth++) {
                text.append("\ncaused by ").append(of(cause)).append(frames(cause.getStackTrace()));
                cause = cause.getCause();
            }
        } catch (Throwable hostile) {
            return text.toString();
        }
        return text.toString();
    }

    /** A line for each of the first frames. */
    public static String frames(StackTraceElement[] stack) {
        StringBuilder text = new StringBuilder();
        for (int nth = 0; nth < Math.min(stack.length, MAX_FRAMES); nth++) {
            text.append("\n\tat ").append(PlainText.cut(stack[nth].toString()));
        }
        return text.toString();
    }
}

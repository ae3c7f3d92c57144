package io.berth.policy.rules;

/** Texts of policies end up in logs and on terminals: none of their characters may begin a line or steer a terminal. */
public final class PlainText {

    private static final int MAX_LENGTH = 500;

    /** What is allowed where a policy must give a reason. */
    public static final String REQUIRED = "a line of text that is not blank is required";

    private PlainText() {}

    /** One line of limited length. */
    public static String cut(String text) {
        if (text == null) {
            return "";
        }
        return of(text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text);
    }

    /** The same with spaces instead of control characters. */
    public static String of(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (isControl(text.charAt(index))) {
                return replaced(text, index);
            }
        }
        return text;
    }

    private static String replaced(String text, int first) {
        char[] plain = text.toCharArray();
        for (int index = first; index < plain.length; index++) {
            if (isControl(plain[index])) {
                plain[index] = ' ';
            }
        }
        return new String(plain);
    }

    /** Including line and paragraph separators. */
    private static boolean isControl(char one) {
        return Character.isISOControl(one) || one == '\u2028' || one == '\u2029';
    }
}

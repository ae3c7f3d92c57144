package io.berth.core.policies.text;

/** Words of policies end up in logs and on terminals: no character of theirs may begin a line or steer either. */
public final class PlainText {

    private static final int MAX_LENGTH = 500;

    private PlainText() {}

    /** One bounded line. */
    public static String cut(String text) {
        if (text == null) {
            return "";
        }
        return of(text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text);
    }

    /** The same with spaces for control characters. */
    static String of(String text) {
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

    /** Line and paragraph separators too. */
    private static boolean isControl(char one) {
        return Character.isISOControl(one) || one == '\u2028' || one == '\u2029';
    }
}

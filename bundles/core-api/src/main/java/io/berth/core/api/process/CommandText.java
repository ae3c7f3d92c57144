package io.berth.core.api.process;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a command into words, as a shell does without any of its expansions: blanks separate words, single quotes keep
 * everything, and a backslash keeps the next character, between double quotes only if that is a double quote or a backslash. A
 * backslash at the end of a line joins it with the next one.
 */
public final class CommandText {

    private CommandText() {}

    /** @throws IllegalArgumentException when a quote is not closed, or the text ends with a backslash; the message says which */
    public static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\\' && quote != '\'') {
                if (at + 1 == text.length()) {
                    throw new IllegalArgumentException("the backslash at its end keeps no character");
                }
                at++;
                char next = text.charAt(at);
                if (next != '\n') {
                    word.append(quote == '"' && next != '"' && next != '\\' ? "\\" : "")
                            .append(next);
                    inWord = true;
                }
            } else if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                inWord = true;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("the quote " + quote + " is not closed");
        }
        if (inWord) {
            words.add(word.toString());
        }
        return List.copyOf(words);
    }
}

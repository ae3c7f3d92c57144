package io.berth.core.dispatcher.description;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant by a mistyped one. */
final class NearestName {

    private NearestName() {}

    /** The name at the smallest edit distance, if the distance is small for the length of the name. */
    static Optional<String> of(String given, Collection<String> known) {
        Optional<String> best = Optional.empty();
        int bestDistance = Integer.MAX_VALUE;
        String word = given.toLowerCase(Locale.ROOT);
        if (word.length() > 64) {
            return best;
        }
        for (String name : known) {
            int distance = distance(word, name.toLowerCase(Locale.ROOT));
            if (distance < bestDistance && distance <= allowance(name)) {
                bestDistance = distance;
                best = Optional.of(name);
            }
        }
        return best;
    }

    private static int allowance(String name) {
        return name.length() < 4 ? 1 : Math.max(2, name.length() / 3);
    }

    private static int distance(String left, String right) {
        int[] row = new int[right.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int above = row[j];
                int substituted = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(substituted, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[right.length()];
    }
}

package io.berth.testcluster;

import java.util.List;

/** Closes things that must all be closed, also when one of them fails. */
final class Closes {

    private Closes() {}

    /** Runs all steps in their order, and throws what the first of them threw that failed; it carries what others threw. */
    static void all(List<Runnable> steps) {
        RuntimeException first = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException failure) {
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}

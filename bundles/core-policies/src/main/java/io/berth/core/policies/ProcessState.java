package io.berth.core.policies;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;

/**
 * What belongs to the whole process and a policy must leave alone, as it was before a call into it. Two calls that
 * overlap may be taken for each other; what is changed outside of calls is not seen.
 */
record ProcessState(
        Locale locale,
        TimeZone timeZone,
        PrintStream out,
        PrintStream err,
        Thread.UncaughtExceptionHandler uncaught) {

    static ProcessState now() {
        return new ProcessState(
                Locale.getDefault(),
                TimeZone.getDefault(),
                System.out,
                System.err,
                Thread.getDefaultUncaughtExceptionHandler());
    }

    /**
     * Puts back what was changed since.
     *
     * @return what it was, for people; empty when nothing
     */
    String restore() {
        List<String> changed = new ArrayList<>(0);
        if (!Locale.getDefault().equals(locale)) {
            changed.add("the default locale");
            Locale.setDefault(locale);
        }
        if (!timeZone.equals(TimeZone.getDefault())) {
            changed.add("the default time zone");
            TimeZone.setDefault(timeZone);
        }
        if (System.out != out) {
            changed.add("the standard output");
            System.setOut(out);
        }
        if (System.err != err) {
            changed.add("the standard error output");
            System.setErr(err);
        }
        if (Thread.getDefaultUncaughtExceptionHandler() != uncaught) {
            changed.add("the handler of uncaught exceptions");
            Thread.setDefaultUncaughtExceptionHandler(uncaught);
        }
        return String.join(", ", changed);
    }
}

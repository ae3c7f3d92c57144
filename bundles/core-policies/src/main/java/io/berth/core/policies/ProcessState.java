package io.berth.core.policies;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;

/**
 * What belongs to the whole process and a policy must leave alone, as it was before a call into it. Streams and the
 * handler of uncaught exceptions are changed by others too, at any time: they are put back only when what stands there
 * now is of a class of the policy's own bundle. Two calls that overlap may be taken for each other; what is changed
 * outside of calls is not seen.
 */
record ProcessState(
        ClassLoader bundle,
        Locale locale,
        TimeZone timeZone,
        PrintStream out,
        PrintStream err,
        Thread.UncaughtExceptionHandler uncaught) {

    /** @param bundle class loader of the bundle that is called */
    static ProcessState now(ClassLoader bundle) {
        return new ProcessState(
                bundle,
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
        if (System.out != out && ofTheBundle(System.out)) {
            changed.add("the standard output");
            System.setOut(out);
        }
        if (System.err != err && ofTheBundle(System.err)) {
            changed.add("the standard error output");
            System.setErr(err);
        }
        Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        if (handler != uncaught && ofTheBundle(handler)) {
            changed.add("the handler of uncaught exceptions");
            Thread.setDefaultUncaughtExceptionHandler(uncaught);
        }
        return String.join(", ", changed);
    }

    private boolean ofTheBundle(Object now) {
        return now != null && now.getClass().getClassLoader() == bundle;
    }
}

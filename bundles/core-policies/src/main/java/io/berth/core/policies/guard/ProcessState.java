package io.berth.core.policies.guard;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The standard streams and the handler of uncaught exceptions before a call into a policy. Other code changes them
 * too: they are only restored when the new value is of a class of the policy's bundle.
 */
record ProcessState(ClassLoader bundle, PrintStream out, PrintStream err, Thread.UncaughtExceptionHandler uncaught) {

    /** @param bundle class loader of the called bundle */
    static ProcessState now(ClassLoader bundle) {
        return new ProcessState(bundle, System.out, System.err, Thread.getDefaultUncaughtExceptionHandler());
    }

    /**
     * Restores what the bundle changed since.
     *
     * @return what it was, for people; empty when nothing
     */
    List<String> restore() {
        List<String> changed = new ArrayList<>(0);
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
        return changed;
    }

    private boolean ofTheBundle(Object now) {
        return now != null && now.getClass().getClassLoader() == bundle;
    }
}

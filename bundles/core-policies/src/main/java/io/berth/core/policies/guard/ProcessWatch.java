package io.berth.core.policies.guard;

import io.berth.core.policies.text.LogLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TimeZone;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores what calls into policies change in the whole process. Calls overlap: the default locale and time zone are
 * those from before the first current call, and a change only counts against a policy when no other bundle was called
 * meanwhile. Changes outside of calls are not seen. Thread-safe; a time zone may be of a foreign class, so none is
 * used under the lock.
 */
final class ProcessWatch {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessWatch.class);

    private record Common(Locale locale, TimeZone timeZone) {}

    /** One current call. Guarded by the lock of the watch. */
    static final class Visit {
        private final String bundle;
        private final ClassLoader loader;
        private final ProcessState own;
        /** Another bundle was called at the same time. */
        private boolean overlaps;

        private boolean givenUp;
        private boolean left;

        private Visit(String bundle, ClassLoader loader) {
            this.bundle = bundle;
            this.loader = loader;
            this.own = ProcessState.now(loader);
        }
    }

    private final LogLimit limit;
    private final List<Visit> visits = new ArrayList<>();
    private Optional<Common> common = Optional.empty();

    ProcessWatch(LogLimit limit) {
        this.limit = limit;
    }

    /** A call into a bundle begins, on its thread. */
    Visit enter(String bundle, ClassLoader loader) {
        Visit visit = new Visit(bundle, loader);
        Optional<Common> known;
        boolean afterHanging = true;
        synchronized (this) {
            for (Visit other : visits) {
                afterHanging &= other.givenUp;
                if (other.loader != loader && !other.givenUp) {
                    other.overlaps = true;
                    visit.overlaps = true;
                }
            }
            visits.add(visit);
            known = common;
        }
        if (known.isPresent() && afterHanging) {
            // A call that was given up changed them, not this one.
            restore(known.get());
        }
        if (known.isEmpty()) {
            // A call that entered meanwhile has not called its policy yet.
            Common now = new Common(Locale.getDefault(), TimeZone.getDefault());
            synchronized (this) {
                common = common.or(() -> Optional.of(now));
            }
        }
        return visit;
    }

    /** The call does not return in time: its changes from now on affect others. */
    synchronized void givenUp(Visit visit) {
        visit.givenUp = true;
    }

    /**
     * The call has returned: restores what it changed. Repeating this does nothing.
     *
     * @return what the call is to blame for, for people; empty when nothing
     */
    String leave(Visit visit) {
        Common before;
        synchronized (this) {
            if (visit.left) {
                return "";
            }
            visit.left = true;
            before = common.orElseThrow();
        }
        List<String> changed = new ArrayList<>(0);
        try {
            changed.addAll(restore(before));
        } finally {
            synchronized (this) {
                visits.remove(visit);
                if (visits.isEmpty()) {
                    common = Optional.empty();
                }
            }
        }
        if (!changed.isEmpty() && isShared(visit)) {
            String what = String.join(", ", changed);
            limit.line(visit.bundle)
                    .ifPresent(more -> LOG.warn(
                            "{} of the process changed while several bundles were called, {} among them: restored{}",
                            what,
                            visit.bundle,
                            more));
            changed.clear();
        }
        changed.addAll(visit.own.restore());
        return changed.isEmpty() ? "" : String.join(", ", changed);
    }

    private synchronized boolean isShared(Visit visit) {
        return visit.overlaps;
    }

    private static List<String> restore(Common before) {
        List<String> changed = new ArrayList<>(0);
        if (!Locale.getDefault().equals(before.locale())) {
            changed.add("the default locale");
            Locale.setDefault(before.locale());
        }
        if (!before.timeZone().equals(TimeZone.getDefault())) {
            changed.add("the default time zone");
            TimeZone.setDefault(before.timeZone());
        }
        return changed;
    }
}

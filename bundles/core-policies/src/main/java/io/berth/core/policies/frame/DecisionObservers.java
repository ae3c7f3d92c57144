package io.berth.core.policies.frame;

import io.berth.core.policies.registration.OpenJobs;
import io.berth.spi.JobId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who sees the decisions of the policy host. Thread-safe. While there is nobody, a decision costs one look at an empty list. */
public final class DecisionObservers {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionObservers.class);

    private final List<DecisionObserver> observers = new CopyOnWriteArrayList<>();
    private final OpenJobs jobs = new OpenJobs();

    /** Sees frames from the next decision of each owner on. */
    public void add(DecisionObserver observer) {
        observers.add(observer);
    }

    /** May still receive the frame of a decision that is being made. */
    public void remove(DecisionObserver observer) {
        observers.remove(observer);
    }

    public boolean isEmpty() {
        return observers.isEmpty();
    }

    /** Whether one of them needs the state of the pool. */
    public boolean needState(String pool) {
        return any(observer -> observer.needsState(pool));
    }

    public boolean useSlots(String pool) {
        return any(observer -> observer.usesSlots(pool));
    }

    public void decided(DecisionFrame frame) {
        observers.forEach(observer -> tell(observer, told -> told.decided(frame)));
    }

    public void scaled(ScalingFrame frame) {
        observers.forEach(observer -> tell(observer, told -> told.scaled(frame)));
    }

    /** Scaling of a unit of the job is decided from now on. */
    public void began(JobId job) {
        jobs.add(job);
    }

    /** No scaling decision of a unit of the job follows. Observers hear of the last one. */
    public void ended(JobId job) {
        if (jobs.remove(job)) {
            observers.forEach(observer -> tell(observer, told -> told.ended(job)));
        }
    }

    public void assigned(AssignmentFrame frame) {
        observers.forEach(observer -> tell(observer, told -> told.assigned(frame)));
    }

    private boolean any(Predicate<DecisionObserver> asked) {
        boolean[] found = {false};
        observers.forEach(observer -> tell(observer, told -> found[0] |= asked.test(told)));
        return found[0];
    }

    private static void tell(DecisionObserver observer, Consumer<DecisionObserver> call) {
        try {
            call.accept(observer);
        } catch (RuntimeException failure) {
            LOG.error("an observer of decisions failed: {}", observer, failure);
        }
    }
}

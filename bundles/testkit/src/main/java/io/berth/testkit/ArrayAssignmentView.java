package io.berth.testkit;

import io.berth.policy.rules.AssignmentResult;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/** Slots and requirements by the exact or the loose rule, and the assignment that a strategy returns, judged as the host judges it. */
public final class ArrayAssignmentView implements AssignmentView, AssignmentBuilder {

    private record Slot(ResourceProfile profile, WorkerId worker, int allocatedFor, int constraints) {}

    private record Requirement(ResourceProfile profile, int count, int constraints) {}

    private final boolean loose;
    private final Thread caller = Thread.currentThread();
    private final List<Slot> slots = new ArrayList<>();
    private final List<Requirement> requirements = new ArrayList<>();
    private long now;
    private long wallTime;
    /** Empty until the first call of the strategy; slots and requirements do not change after it. */
    private Optional<AssignmentResult> answer = Optional.empty();

    /**
     * Only the thread that calls this may assign.
     *
     * @param loose whether greater slots fulfill a requirement too
     */
    public ArrayAssignmentView(boolean loose) {
        this.loose = loose;
    }

    /** Adds a slot; {@code allocatedFor} is the index of a requirement, or -1. */
    public ArrayAssignmentView slot(ResourceProfile profile, String worker, int allocatedFor) {
        return slot(profile, worker, allocatedFor, -1);
    }

    /** Adds a slot that was placed with the constraints of this number; -1: with none. */
    public ArrayAssignmentView slot(ResourceProfile profile, String worker, int allocatedFor, int constraints) {
        slots.add(new Slot(profile, new WorkerId(worker), allocatedFor, constraints));
        return this;
    }

    /** Adds a requirement of {@code count} slots. */
    public ArrayAssignmentView requirement(ResourceProfile profile, int count) {
        return requirement(profile, count, -1);
    }

    /** Adds a requirement with the constraints of this number; -1: with none. */
    public ArrayAssignmentView requirement(ResourceProfile profile, int count, int constraints) {
        requirements.add(new Requirement(profile, count, constraints));
        return this;
    }

    private AssignmentResult result() {
        if (answer.isEmpty()) {
            AssignmentResult first =
                    new AssignmentResult(this, loose ? "LOOSE" : "EXACT", requirement -> "requirement " + requirement);
            first.rules().begin(caller);
            answer = Optional.of(first);
        }
        return answer.get();
    }

    /** The requirement of each slot, or -1. */
    public List<Integer> answer() {
        return result().requirementOfSlot();
    }

    /** How many slots serve a requirement. */
    public int assigned(int requirement) {
        return result().assigned(requirement);
    }

    /** The call of the strategy is over: what it still does has no effect and is a violation. */
    public void end() {
        result().rules().end();
    }

    /**
     * The first rule that the assignment breaks, as the host says it; what follows it is not collected. Use after the call
     * counts too.
     */
    public Optional<String> violation() {
        return result().rules().misuse();
    }

    @Override
    public void assign(int slot, int requirement) {
        result().assign(slot, requirement);
    }

    @Override
    public void unassigned(int requirement, String reason) {
        result().unassigned(requirement, reason);
    }

    /** Why requirements have fewer slots than they request, by index. */
    public SortedMap<Integer, String> reasons() {
        return result().reasons();
    }

    /** Sets the monotonic time of the view, in milliseconds; 0 at first. */
    public ArrayAssignmentView now(long millis) {
        now = millis;
        return this;
    }

    @Override
    public long now() {
        return now;
    }

    /** Sets the wall-clock time of the view, in milliseconds since 1970; 0 at first. */
    public ArrayAssignmentView wallTime(long millis) {
        wallTime = millis;
        return this;
    }

    @Override
    public long wallTime() {
        return wallTime;
    }

    @Override
    public int slots() {
        return slots.size();
    }

    @Override
    public ResourceProfile slotProfile(int slot) {
        return slots.get(slot).profile();
    }

    @Override
    public WorkerId slotWorker(int slot) {
        return slots.get(slot).worker();
    }

    @Override
    public int allocatedFor(int slot) {
        return slots.get(slot).allocatedFor();
    }

    @Override
    public int requirements() {
        return requirements.size();
    }

    @Override
    public ResourceProfile requirementProfile(int requirement) {
        return requirements.get(requirement).profile();
    }

    @Override
    public int count(int requirement) {
        return requirements.get(requirement).count();
    }

    @Override
    public int constraints(int requirement) {
        return requirements.get(requirement).constraints();
    }

    @Override
    public int slotConstraints(int slot) {
        return slots.get(slot).constraints();
    }

    @Override
    public boolean accepts(int requirement, int slot) {
        if (constraints(requirement) != slotConstraints(slot)) {
            return false;
        }
        ResourceProfile required = requirementProfile(requirement);
        return loose ? slotProfile(slot).covers(required) : slotProfile(slot).equals(required);
    }

    /** The smallest time after which the strategy asked for another call; empty when it did not. */
    public OptionalLong reviewMillis() {
        return result().rules().reviewMillis();
    }

    @Override
    public void reviewAfter(long millis) {
        result().reviewAfter(millis);
    }
}

package io.berth.core.policies.frame;

/** What the host found out about the policies of one kind while it made a decision, in this order. */
public sealed interface PolicyStep {

    /**
     * An instance was taken.
     *
     * @param fresh whether it was just opened on the state of the decision, so that it needs no delta
     */
    record Taken(FramedPolicy policy, boolean fresh) implements PolicyStep {}

    /** There was no policy, or none was left. */
    record Vacant(String text) implements PolicyStep {}

    /**
     * A call returned nothing: it threw, or it took too long. The instance is used no more.
     *
     * @param call number of the call in this decision, counted from 0 over all instances of the kind
     */
    record CallFailed(int call, String text) implements PolicyStep {}

    /**
     * A call read the time, or how much of it was left.
     *
     * @param call as in {@link CallFailed}
     */
    record TimeRead(int call, TimeAnswers answers) implements PolicyStep {}

    /** The host asked whether another policy could decide. */
    record Other(boolean ready) implements PolicyStep {}
}

package io.berth.policy.rules.scaling;

import io.berth.policy.rules.BuilderAccess;
import io.berth.policy.rules.PlainText;
import io.berth.spi.scaling.JudgementBuilder;
import java.util.Optional;

/** Collects the judgement of a change and names the first rule that the policy breaks. */
public final class JudgementResult implements JudgementBuilder {

    private final BuilderAccess rules = new BuilderAccess();
    private volatile boolean asked;
    private volatile boolean judged;
    private volatile boolean accepted;
    private volatile String reason = "";

    /** The policy is asked now, on this thread. */
    public void begin() {
        asked = true;
        rules.begin();
    }

    public BuilderAccess rules() {
        return rules;
    }

    /** Whether the policy said anything that counts: accept, decline or reviewAfter. */
    public boolean judged() {
        return judged || rules.reviewMillis().isPresent();
    }

    public boolean accepted() {
        return accepted;
    }

    public String reason() {
        return reason;
    }

    /** The first broken rule, including those of the complete answer. */
    public Optional<String> violation() {
        if (rules.violation().isPresent() || !asked || judged()) {
            return rules.violation();
        }
        return Optional.of("judges nothing: one of accept, decline and reviewAfter is required");
    }

    @Override
    public void accept() {
        judge(true);
    }

    @Override
    public void decline() {
        judge(false);
    }

    private void judge(boolean answer) {
        if (rules.open()) {
            judged = true;
            accepted = answer;
        }
    }

    @Override
    public void reason(String text) {
        if (rules.open()) {
            reason = PlainText.cut(text);
        }
    }

    @Override
    public void reviewAfter(long millis) {
        rules.review(millis);
    }
}

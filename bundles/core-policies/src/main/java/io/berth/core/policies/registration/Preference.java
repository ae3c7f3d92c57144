package io.berth.core.policies.registration;

import io.berth.core.api.job.PolicyChoice;
import java.util.List;
import java.util.Optional;

/**
 * What an owner of decisions says itself about who decides for it.
 *
 * @param choice empty: the common one
 * @param fallbacks names of policies that decide in place of a missing one; empty: the common ones
 */
public record Preference(Optional<PolicyChoice> choice, Optional<List<String>> fallbacks) {

    /** Nothing of its own. */
    public static final Preference NONE = new Preference(Optional.empty(), Optional.empty());

    /** Only a choice, if any. */
    public static Preference of(Optional<PolicyChoice> choice) {
        return new Preference(choice, Optional.empty());
    }

    /** Who decides, whatever its parameters. */
    public Preference withoutParameters() {
        return new Preference(choice.map(own -> PolicyChoice.of(own.selector())), fallbacks);
    }

    /** The selector of the choice; empty when there is none. */
    public Optional<String> selector() {
        return choice.map(PolicyChoice::selector).filter(text -> !text.isBlank());
    }
}

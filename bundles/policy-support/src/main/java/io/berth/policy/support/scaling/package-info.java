/**
 * Parts of scaling policies: vertices that forward edges connect, what a decision desires, the judgement of a change that waits for slots, and
 * numbers for reasons. A policy bundle embeds this package privately, as it does {@link io.berth.policy.support}.
 * Nothing here is thread-safe: an object belongs to one session.
 */
@NullMarked
package io.berth.policy.support.scaling;

import org.jspecify.annotations.NullMarked;

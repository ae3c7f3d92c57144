/**
 * What policies answer to admissions and assignments, as the host goes on with it; the rules themselves are those of the
 * library {@code io.berth.policy.rules}. Confined to the thread of one call, then to the main thread of the decision.
 * Uses {@code cache}.
 */
@NullMarked
package io.berth.core.policies.validation;

import org.jspecify.annotations.NullMarked;

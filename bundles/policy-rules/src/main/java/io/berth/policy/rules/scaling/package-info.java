/**
 * What scaling policies answer, with the checks that name the first rule that an answer breaks, and which parallelism is
 * feasible with the slots at hand. A builder is confined to the thread of one call. Uses {@code rules}.
 */
@NullMarked
package io.berth.policy.rules.scaling;

import org.jspecify.annotations.NullMarked;

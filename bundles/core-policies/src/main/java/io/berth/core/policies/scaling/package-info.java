/**
 * A job as scaling policies see it, what they answer, and which parallelism is feasible with the slots at hand. Changes
 * only between the calls of a decision; the results are confined to the thread of one call. Uses {@code cache}.
 */
@NullMarked
package io.berth.core.policies.scaling;

import org.jspecify.annotations.NullMarked;

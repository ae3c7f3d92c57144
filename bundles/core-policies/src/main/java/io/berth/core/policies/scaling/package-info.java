/**
 * A job as scaling policies see it, with what is remembered between decisions. Changes only between the calls of a
 * decision. Uses {@code cache}.
 */
@NullMarked
package io.berth.core.policies.scaling;

import org.jspecify.annotations.NullMarked;

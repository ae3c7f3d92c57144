/**
 * The builders that policies answer with, and the checks that name the first broken rule of an answer. A builder is
 * confined to the thread of one call, a check to the main thread of the decision. Uses {@code cache} and {@code text}.
 */
@NullMarked
package io.berth.core.policies.validation;

import org.jspecify.annotations.NullMarked;

/**
 * The builders that policies answer with, and the checks that name the first rule that an answer breaks. A builder
 * belongs to the thread of one call, a check to the main thread of the decision. Knows {@code cache} and {@code
 * text}.
 */
@NullMarked
package io.berth.core.policies.validation;

import org.jspecify.annotations.NullMarked;

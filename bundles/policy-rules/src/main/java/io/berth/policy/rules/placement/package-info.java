/**
 * The builder that a matching strategy places with, and the checks that name the first rule that its result breaks. A
 * builder is confined to the thread of one call, a check to the thread that owns the views. Uses {@code rules}.
 */
@NullMarked
package io.berth.policy.rules.placement;

import org.jspecify.annotations.NullMarked;

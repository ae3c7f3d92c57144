/**
 * The policies that bundles register, and those that may decide. Immutable values; what may run foreign code is only
 * called in the guard. Uses no other package.
 */
@NullMarked
package io.berth.core.policies.registration;

import org.jspecify.annotations.NullMarked;

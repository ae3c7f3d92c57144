/**
 * The rules that results of policies must keep, as the policy host checks them: a library that the host and the kit for
 * tests embed, so that both judge alike. Knows the extension points only. A builder is confined to the thread of one
 * call.
 */
@NullMarked
package io.berth.policy.rules;

import org.jspecify.annotations.NullMarked;

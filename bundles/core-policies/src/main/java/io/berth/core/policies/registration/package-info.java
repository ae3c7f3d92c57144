/**
 * What a bundle offers as a policy, and the policies that could decide. Values for every thread; what may run foreign
 * code is called in the guard only. Knows no other room.
 */
@NullMarked
package io.berth.core.policies.registration;

import org.jspecify.annotations.NullMarked;

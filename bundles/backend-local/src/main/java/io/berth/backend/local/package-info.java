/**
 * A backend that starts workers as processes of this machine.
 * Each call comes from the host of the policies, one at a time, on a thread of this bundle.
 * Knows the SPI only.
 */
@NullMarked
package io.berth.backend.local;

import org.jspecify.annotations.NullMarked;

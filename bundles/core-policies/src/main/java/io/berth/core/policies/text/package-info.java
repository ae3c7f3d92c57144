/**
 * Makes the words of policies safe for logs and terminals, and bounds how much is logged about a bundle. Thread-safe.
 * Knows no other room.
 */
@NullMarked
package io.berth.core.policies.text;

import org.jspecify.annotations.NullMarked;

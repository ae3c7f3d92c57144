/**
 * Makes texts of policies safe for logs and terminals, and limits how much is logged about a bundle. Thread-safe. Uses
 * no other package.
 */
@NullMarked
package io.berth.core.policies.text;

import org.jspecify.annotations.NullMarked;

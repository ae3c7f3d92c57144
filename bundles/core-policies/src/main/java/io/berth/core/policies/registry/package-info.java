/**
 * The registered policies, their order, configuration and health, and the choices among them. Thread-safe under the
 * lock of the table, which is not held while foreign code runs. Uses {@code registration}, {@code guard}, {@code
 * meters}, {@code swap} and {@code text}.
 */
@NullMarked
package io.berth.core.policies.registry;

import org.jspecify.annotations.NullMarked;

/**
 * Reads the text of a job description and checks it. One parser serves one description, on any thread. Uses only
 * {@code bundle}, to find the operators of stored bundles; only the parent package uses it.
 */
@NullMarked
package io.berth.core.dispatcher.description;

import org.jspecify.annotations.NullMarked;

/**
 * Reads the text of a job description and checks it into a draft. One parser serves one description, on any thread.
 * Knows {@code bundle} only, for what a stored bundle offers; the root knows it.
 */
@NullMarked
package io.berth.core.dispatcher.description;

import org.jspecify.annotations.NullMarked;

/** Tokens of users. */
@NullMarked
package io.berth.core.dispatcher.access;

import org.jspecify.annotations.NullMarked;

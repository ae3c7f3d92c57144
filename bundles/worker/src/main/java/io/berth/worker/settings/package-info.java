/**
 * What a worker was started with, and how often it tries to register. Immutable values, for every thread. Knows no
 * other room; {@code connection}, {@code peer} and the root know it.
 */
@NullMarked
package io.berth.worker.settings;

import org.jspecify.annotations.NullMarked;

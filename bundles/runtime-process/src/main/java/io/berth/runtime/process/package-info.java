/**
 * The task runtime {@code process}: it runs programs of any language on a worker. Each task has a thread that waits for its
 * process, two that read what it prints, and one for its health check; timers end it. It knows the task SPI of the worker and
 * nothing else of Berth.
 */
@NullMarked
package io.berth.runtime.process;

import org.jspecify.annotations.NullMarked;

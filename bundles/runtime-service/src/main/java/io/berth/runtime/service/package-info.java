/**
 * The task runtime {@code service}: it starts and stops services of job bundles. Each task has a thread that makes all calls to
 * its service; timers interrupt a call that takes too long. It knows the task SPI of the worker and the service API.
 */
@NullMarked
package io.berth.runtime.service;

import org.jspecify.annotations.NullMarked;

/**
 * What all parts of a JobMaster share: its job, its main thread, its settings, what the job requires and its history.
 * Settings, identity and requirements are for every thread, the rest is confined to the main thread of the job. Knows
 * no other room; every other one is built on it.
 */
@NullMarked
package io.berth.core.scheduler.job;

import org.jspecify.annotations.NullMarked;

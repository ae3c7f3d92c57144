/**
 * The logs of workers and tasks, as the ResourceManager answers for them: of workers that are registered from themselves, of
 * workers of this machine that are gone from their files. The files are read on a thread that may block. It knows the
 * registry of workers in {@code state}.
 */
@NullMarked
package io.berth.core.resources.logs;

import org.jspecify.annotations.NullMarked;

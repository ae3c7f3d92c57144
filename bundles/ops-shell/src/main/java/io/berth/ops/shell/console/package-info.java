/**
 * What commands share: waiting for answers, their form as table or JSON, and completion of arguments. Stateless, on
 * the thread of the shell session. Knows no other room; all others know it.
 */
@NullMarked
package io.berth.ops.shell.console;

import org.jspecify.annotations.NullMarked;

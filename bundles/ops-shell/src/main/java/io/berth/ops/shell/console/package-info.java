/**
 * What commands share: waiting for answers, their form as table or JSON, and completion of arguments. Stateless, on
 * the thread of the shell session. Knows no other room; all others know it.
 */
package io.berth.ops.shell.console;

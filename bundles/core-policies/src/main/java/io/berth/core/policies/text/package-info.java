/**
 * Makes the words of policies safe for logs and terminals, and bounds how much is logged about a bundle. Thread-safe.
 * Knows no other room.
 */
package io.berth.core.policies.text;

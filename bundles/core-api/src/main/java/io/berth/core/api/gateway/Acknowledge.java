package io.berth.core.api.gateway;

/** The receiver has acted on the message. */
public enum Acknowledge {
    ACKNOWLEDGE
}

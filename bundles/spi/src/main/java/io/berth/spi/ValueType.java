package io.berth.spi;

/** The type of the value of a {@link ConfigurationKey}. Types may be added, so a {@code switch} needs a default. */
public enum ValueType {
    /** Characters; the bounds limit their number. */
    TEXT,
    /** A whole number. */
    NUMBER,
    /** A number that may have decimal places. */
    DECIMAL,
    /** A part of a whole, from 0 to 1: {@code 0.8} or {@code 80 %}. */
    SHARE,
    /** A length of time, in milliseconds: {@code 500 ms}, {@code 30 s}, {@code 5 min}, {@code 2 h}, {@code 1 d}. */
    DURATION,
    /** An amount of memory or data, in bytes: {@code 512 B}, {@code 64 KiB}, {@code 100 MiB}, {@code 2 GiB}. */
    SIZE,
    /** {@code true} or {@code false}. */
    FLAG,
    /** One of the options. */
    CHOICE,
    /** Texts that are separated by commas; the bounds limit how many. */
    LIST
}

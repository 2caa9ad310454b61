package io.sluice.tenants.config;

/** How short money is in one cap, or in all that apply to a request; a later constant is shorter (requirement B6). */
public enum BudgetBand {
    /** Every request goes its usual way. */
    NORMAL,
    /** Requests that are not core use light models. */
    CONSERVE,
    /** Core requests keep their models; others get what costs nothing. */
    RESTRICT,
    /** Nothing may be spent but by exempt scenarios. */
    EXHAUSTED;

    /** The shorter of two: what a request feels to which both apply. */
    public BudgetBand worst(BudgetBand other) {
        return compareTo(other) >= 0 ? this : other;
    }
}

package io.sluice.data.money;

/** What a reservation came to: a {@link Hold}, or a {@link Shortfall}. */
public sealed interface Reservation permits Hold, Shortfall {}

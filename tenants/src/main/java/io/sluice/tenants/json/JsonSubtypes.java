package io.sluice.tenants.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a sealed interface whose permitted records are told apart in JSON by a member {@code kind} with the record's simple
 * name. {@link StrictJson} reads the list of permitted types from the class itself, so there is no second list to keep.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface JsonSubtypes {}

package io.sluice.tenants.json;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.sluice.tenants.ScopedId;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * The one mapper of the domain's records and the one factory for JSON from strangers. Both refuse duplicate keys, comments,
 * trailing tokens, NaN, and nesting deeper than {@link #DEPTH_MAX}. Thread-safe.
 */
public final class StrictJson {
    /** Deeper input is an attack or a mistake: real tool schemas stay below 30 (bad-input row 45). */
    public static final int DEPTH_MAX = 64;

    /** Longer numbers make parsing quadratic; 40 digits hold every 128-bit integer. */
    public static final int NUMBER_LENGTH_MAX = 40;

    /** Longest member name, characters. */
    public static final int NAME_LENGTH_MAX = 1_000;

    /** One string may fill a whole request body of the largest permitted size, 32 MiB. */
    public static final int STRING_LENGTH_MAX = 32 << 20;

    /** For untrusted bytes. */
    public static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxNumberLength(NUMBER_LENGTH_MAX)
                    .maxNameLength(NAME_LENGTH_MAX)
                    .maxStringLength(STRING_LENGTH_MAX)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** For the domain's records and for trees; numbers keep all their digits. */
    public static final ObjectMapper MAPPER = JsonMapper.builder(FACTORY)
            .addModule(new JavaTimeModule())
            .addModule(new Jdk8Module())
            .addModule(new SimpleModule("sluice").addKeyDeserializer(ScopedId.class, new ScopedKeys()))
            .annotationIntrospector(new SealedTypes())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .enable(
                    DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                    DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
                    DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();

    private StrictJson() {}

    /** Reads scoped ids that are names of members, as {@link ScopedId#toString} wrote them. */
    private static final class ScopedKeys extends KeyDeserializer {
        @Override
        public ScopedId deserializeKey(String key, DeserializationContext context) throws IOException {
            try {
                return ScopedId.ofKey(key);
            } catch (IllegalArgumentException notScoped) {
                return (ScopedId) context.handleWeirdKey(ScopedId.class, key, "%s", notScoped.getMessage());
            }
        }
    }

    /** Gives {@link JsonSubtypes} their meaning. */
    private static final class SealedTypes extends JacksonAnnotationIntrospector {
        @Override
        public TypeResolverBuilder<?> findTypeResolver(MapperConfig<?> config, AnnotatedClass type, JavaType base) {
            if (!sealedRoot(type.getRawType())) {
                return super.findTypeResolver(config, type, base);
            }
            return new StdTypeResolverBuilder()
                    .init(
                            JsonTypeInfo.Value.construct(
                                    JsonTypeInfo.Id.SIMPLE_NAME, JsonTypeInfo.As.PROPERTY, "kind", null, false, true),
                            null);
        }

        @Override
        public List<NamedType> findSubtypes(Annotated annotated) {
            Class<?> type = annotated.getRawType();
            if (!type.isSealed() || !sealedRoot(type)) {
                return super.findSubtypes(annotated);
            }
            return Arrays.stream(type.getPermittedSubclasses())
                    .map(permitted -> new NamedType(permitted, permitted.getSimpleName()))
                    .toList();
        }

        private static boolean sealedRoot(Class<?> type) {
            return type.isAnnotationPresent(JsonSubtypes.class)
                    || Arrays.stream(type.getInterfaces())
                            .anyMatch(each -> each.isAnnotationPresent(JsonSubtypes.class));
        }
    }
}

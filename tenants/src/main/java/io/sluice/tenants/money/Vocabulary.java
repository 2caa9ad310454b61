package io.sluice.tenants.money;

import java.util.List;
import java.util.Optional;

/**
 * The vocabulary by which a model takes a text apart, where it is public, so that its tokens can be counted before they are billed. A
 * count by another vocabulary than the model's own bounds nothing: models that stand nowhere here have none.
 */
public enum Vocabulary {
    O200K,
    CL100K;

    /** What stands before a model's own name: of the vendor at gateways, of what was trained from it. */
    private static final List<String> BEFORE = List.of("openai/", "ft:");

    /** As OpenAI names them; the longer name first where one begins with another. */
    private static final List<Model> MODELS = List.of(
            new Model("gpt-4o", O200K),
            new Model("chatgpt-4o", O200K),
            new Model("gpt-4.1", O200K),
            new Model("gpt-4.5", O200K),
            new Model("gpt-5", O200K),
            new Model("gpt-6", O200K),
            new Model("o1", O200K),
            new Model("o3", O200K),
            new Model("o4", O200K),
            new Model("gpt-4", CL100K),
            new Model("gpt-3.5-turbo", CL100K),
            new Model("gpt-35-turbo", CL100K));

    private record Model(String name, Vocabulary vocabulary) {}

    /**
     * The vocabulary of a model.
     *
     * @param nameUpstream what the provider calls it
     */
    public static Optional<Vocabulary> of(String nameUpstream) {
        String name = nameUpstream;
        for (String before : BEFORE) {
            name = name.startsWith(before) ? name.substring(before.length()) : name;
        }
        for (Model each : MODELS) {
            if (names(name, each.name())) {
                return Optional.of(each.vocabulary());
            }
        }
        return Optional.empty();
    }

    /** A name goes on with a date, a size or a use; of whole generations also with a point, so that 5.4 is a 5, but 4.2 no 4. */
    private static boolean names(String name, String model) {
        if (!name.startsWith(model)) {
            return false;
        }
        if (name.length() == model.length()) {
            return true;
        }
        char next = name.charAt(model.length());
        return next == '-' || next == ':' || (next == '.' && (model.equals("gpt-5") || model.equals("gpt-6")));
    }
}

package io.sluice.plugins.api.chat;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.sluice.plugins.api.chat.ChatRequest.Member;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Scans a chat request once. It refuses what no provider may see (bad-input catalogue §5.3) and leaves alone what it does not
 * know. Stateless between calls; each call is for one thread and takes about a microsecond per kilobyte, so that bodies above
 * 256 KiB belong on a worker thread.
 */
public final class ChatRequestParser {
    /**
     * Members that would let a caller choose address, credential or behaviour of the gateway's own call; other gateways were
     * broken into through them.
     */
    private static final Set<String> FORBIDDEN =
            Set.of("api_base", "base_url", "api_key", "extra_headers", "timeout", "custom_llm_provider");

    /** More than any model writes; a larger figure is a mistake. */
    private static final int MAX_TOKENS_MAX = 10_000_000;

    /** OpenAI's own limit. */
    private static final int CHOICES_MAX = 128;

    /** So much of a key is told, characters. */
    private static final int KEY_SHOWN_MAX = 64;

    /** Longest model name and end user id, characters. */
    private static final int NAME_CHARS_MAX = 512;

    private final ChatLimits limits;

    public ChatRequestParser(ChatLimits limits) {
        this.limits = limits;
    }

    /** Parses {@code body}, which must not be changed afterwards. */
    public ChatParse parse(byte[] body) {
        try {
            BodyText.check(body);
            try (JsonParser parser = StrictJson.FACTORY.createParser(body)) {
                return new ChatParse.Parsed(new Scan(parser, body).scan());
            }
        } catch (ParseStop stop) {
            return stop.refused();
        } catch (StreamConstraintsException tooMuch) {
            return new ChatParse.Refused(
                    Refusal.INVALID_JSON, "the body exceeds a limit: nesting, number or name too long", null);
        } catch (JsonParseException malformed) {
            return duplicateKey(malformed)
                    ? new ChatParse.Refused(Refusal.DUPLICATE_KEY, twice(malformed), null)
                    : new ChatParse.Refused(
                            Refusal.INVALID_JSON, "the body is not valid JSON: " + where(malformed), null);
        } catch (IOException unexpected) {
            return new ChatParse.Refused(Refusal.INVALID_JSON, "the body is not valid JSON", null);
        }
    }

    private static boolean duplicateKey(JsonParseException malformed) {
        return malformed.getOriginalMessage().startsWith("Duplicate field");
    }

    /** The parser's words end with the key in quotes. */
    private static String twice(JsonParseException malformed) {
        String words = malformed.getOriginalMessage();
        String key = words.substring(words.indexOf('\'') + 1, words.lastIndexOf('\''));
        return "an object of the body has the key " + JsonText.quote(cut(key).replaceAll("\\p{C}", "?"))
                + " twice; send it once (" + where(malformed) + ")";
    }

    private static String cut(String key) {
        int end = key.offsetByCodePoints(0, Math.min(key.codePointCount(0, key.length()), KEY_SHOWN_MAX));
        return end == key.length() ? key : key.substring(0, end) + "…";
    }

    private static String where(JsonParseException malformed) {
        return "line " + malformed.getLocation().getLineNr() + ", column "
                + malformed.getLocation().getColumnNr();
    }

    /** One pass over one body. */
    private final class Scan {
        private final JsonParser parser;
        private final byte[] body;
        private final TokenWalk walk;
        private final MessagesReader messages;
        private final ToolsReader tools;
        private final List<Member> members = new ArrayList<>(12);
        private String model;
        private boolean streamed;
        private boolean includeUsage;
        private int maxTokens;
        private int choices = 1;
        private boolean jsonSchema;
        private boolean json;
        private boolean functionNamed;
        private String endUser;
        private int promptBytes;
        private int serverToolCalls;

        Scan(JsonParser parser, byte[] body) {
            this.parser = parser;
            this.body = body;
            walk = new TokenWalk(parser, limits);
            messages = new MessagesReader(parser, walk, limits);
            tools = new ToolsReader(parser, walk, limits);
        }

        ChatRequest scan() throws IOException, ParseStop {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new ParseStop(Refusal.INVALID_JSON, "the body must be one JSON object", null);
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                scanMember();
            }
            if (parser.nextToken() != null) {
                throw new ParseStop(
                        Refusal.INVALID_JSON, "the body must be one JSON object and nothing after it", null);
            }
            if (model == null) {
                throw ParseStop.invalid("model", "is missing; name a pool or \"auto\"");
            }
            if (messages.count() == 0) {
                throw ParseStop.invalid("messages", "is missing");
            }
            tools.checkChoice();
            long text = Math.max(0, promptBytes - messages.imageChars());
            long tokens = text / ChatFacts.BYTES_PER_TOKEN + (long) messages.images() * ChatFacts.IMAGE_TOKENS + 1;
            return new ChatRequest(
                    body,
                    members,
                    new ChatFacts(
                            model,
                            streamed,
                            includeUsage,
                            maxTokens,
                            choices,
                            (int) Math.min(Integer.MAX_VALUE, tokens),
                            messages.count(),
                            tools.offered(),
                            messages.images(),
                            serverToolCalls,
                            jsonSchema,
                            json || functionNamed || tools.demanded(),
                            endUser,
                            messages.unseen() || serverToolCalls > 0 ? -1 : (int) (body.length - messages.imageChars()),
                            messages.endsWithToolResult()));
        }

        private void scanMember() throws IOException, ParseStop {
            int nameStart = (int) parser.currentTokenLocation().getByteOffset();
            String name = parser.currentName();
            walk.countKey("the body", members.size() + 1);
            if (FORBIDDEN.contains(name)) {
                throw new ParseStop(
                        Refusal.UNKNOWN_PARAMETER,
                        name
                                + " is not a member of a request here; addresses and credentials are configured by operators",
                        name);
            }
            JsonToken value = parser.nextToken();
            int valueStart = (int) parser.currentTokenLocation().getByteOffset();
            scanValue(name, value);
            parser.finishToken();
            int valueEnd = (int) parser.currentLocation().getByteOffset();
            members.add(new Member(name, nameStart, valueStart, valueEnd));
            checkSize(name, valueEnd - valueStart);
        }

        private void scanValue(String name, JsonToken value) throws IOException, ParseStop {
            switch (name) {
                case "model" -> model = text("model", value);
                case "messages" -> messages.read();
                case "stream" -> streamed = flag("stream", value);
                case "stream_options" -> readStreamOptions(value);
                case "max_tokens", "max_completion_tokens" -> {
                    int tokens = count(name, value, MAX_TOKENS_MAX);
                    maxTokens = maxTokens == 0 ? tokens : tokens == 0 ? maxTokens : Math.min(maxTokens, tokens);
                }
                case "n" -> choices = Math.max(1, count("n", value, CHOICES_MAX));
                case "tools" -> tools.readTools();
                case "tool_choice" -> tools.readChoice();
                case "response_format" -> readResponseFormat(value);
                case "function_call" -> {
                    functionNamed = value == JsonToken.START_OBJECT;
                    walk.skipValue(name, true);
                }
                case "web_search_options" -> {
                    serverToolCalls = value == JsonToken.START_OBJECT ? 1 : 0;
                    walk.skipValue(name, true);
                }
                case "user" -> endUser = value == JsonToken.VALUE_NULL ? null : text("user", value);
                default -> walk.skipValue(name, true);
            }
        }

        private void checkSize(String name, int valueBytes) throws ParseStop {
            if (name.equals("messages") || name.equals("tools")) {
                promptBytes += valueBytes;
            }
            int max = name.equals("tools")
                    ? limits.toolsBytesMax()
                    : name.equals("metadata") ? limits.metadataBytesMax() : Integer.MAX_VALUE;
            if (valueBytes > max) {
                throw ParseStop.invalid(name, "is larger than " + max + " bytes");
            }
        }

        private String text(String name, JsonToken value) throws IOException, ParseStop {
            if (value != JsonToken.VALUE_STRING) {
                throw ParseStop.invalid(name, "must be a string");
            }
            String text = parser.getText();
            if (text.length() > NAME_CHARS_MAX && !name.equals("model")) {
                throw ParseStop.invalid(name, "is longer than " + NAME_CHARS_MAX + " characters");
            }
            return text;
        }

        private boolean flag(String name, JsonToken value) throws ParseStop {
            if (value != JsonToken.VALUE_TRUE && value != JsonToken.VALUE_FALSE && value != JsonToken.VALUE_NULL) {
                throw ParseStop.invalid(name, "must be true or false");
            }
            return value == JsonToken.VALUE_TRUE;
        }

        /** A whole number from 1 to {@code max}; null counts as absent and gives 0. */
        private int count(String name, JsonToken value, int max) throws IOException, ParseStop {
            if (value == JsonToken.VALUE_NULL) {
                return 0;
            }
            boolean whole = value == JsonToken.VALUE_NUMBER_INT && parser.getTextLength() <= 9;
            if (!whole || parser.getIntValue() < 1 || parser.getIntValue() > max) {
                throw ParseStop.invalid(name, "must be a whole number from 1 to " + max);
            }
            return parser.getIntValue();
        }

        private void readStreamOptions(JsonToken value) throws IOException, ParseStop {
            if (value == JsonToken.VALUE_NULL) {
                return;
            }
            if (value != JsonToken.START_OBJECT) {
                throw ParseStop.invalid("stream_options", "must be an object");
            }
            for (int keys = 1; parser.nextToken() != JsonToken.END_OBJECT; keys++) {
                walk.countKey("stream_options", keys);
                String name = parser.currentName();
                JsonToken option = parser.nextToken();
                if (name.equals("include_usage")) {
                    includeUsage = flag("stream_options.include_usage", option);
                } else {
                    walk.skipValue("stream_options", name, true);
                }
            }
        }

        private void readResponseFormat(JsonToken value) throws IOException, ParseStop {
            if (value != JsonToken.START_OBJECT) {
                walk.skipValue("response_format", true);
                return;
            }
            for (int keys = 1; parser.nextToken() != JsonToken.END_OBJECT; keys++) {
                walk.countKey("response_format", keys);
                String name = parser.currentName();
                JsonToken member = parser.nextToken();
                if (name.equals("type") && member == JsonToken.VALUE_STRING) {
                    jsonSchema = parser.getText().equals("json_schema");
                    json = jsonSchema || parser.getText().equals("json_object");
                } else {
                    walk.skipValue("response_format", name, true);
                }
            }
        }
    }
}

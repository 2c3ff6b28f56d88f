/** What the models of the test server do, by name: good ones, broken ones, and judges that are hostile or gullible. */
export interface ModelCall {
  readonly protocol: 'chat' | 'responses' | 'messages' | 'generateContent' | 'ollama';
  /** As it came. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly model: string;
  /** Pictures in base64. */
  readonly messages: readonly { readonly role: string; readonly content: string; readonly images: readonly string[] }[];
  /** The last message of the user. */
  readonly prompt: string;
  /** The first one: with it, a call after a retry or a second question is known for the same. */
  readonly first: string;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  readonly hasFormat: boolean;
  /** The number of this call among those about this first message, from 1. */
  readonly nth: number;
}

export interface ModelReply {
  readonly text?: string;
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly finish?: string;
  readonly refusal?: string;
  /** Instead of the number of words; details are told only where they stand here. */
  readonly tokens?: {
    readonly input?: number;
    readonly output?: number;
    readonly cached?: number;
    readonly reasoning?: number;
  };
  /** Sent as it is, instead of a completion. */
  readonly body?: string;
  /** Bytes after which the connection breaks; 0: before any reply. */
  readonly cutAfter?: number;
  /** Never replies. */
  readonly hang?: boolean;
  /** Replies when it has resolved. */
  readonly after?: Promise<void>;
}

export type Behaviour = (call: ModelCall) => ModelReply;

const verdict = (score: number, reason: string): ModelReply => ({ text: JSON.stringify({ score, reason }) });
const busy: ModelReply = {
  status: 429,
  type: 'rate_limit_exceeded',
  text: 'Rate limit reached.',
  headers: { 'retry-after': '0' },
};

/** The candidate answer as our judge prompt carries it; undefined when the prompt is not of that form. */
export function candidateIn(prompt: string): string | undefined {
  const encoded = /<(candidate-[0-9a-f]{16})>\n(.*)\n<\/\1>/.exec(prompt)?.[2];
  return encoded === undefined ? undefined : String(JSON.parse(encoded));
}

export const behaviours: Readonly<Record<string, Behaviour>> = {
  /** Repeats the prompt. */
  echo: ({ prompt }) => ({ text: prompt }),
  /** Adds, and says so in a sentence. */
  adder: ({ prompt }) => {
    const [a, b] = prompt.match(/\d+/g) ?? [];
    return { text: a && b ? `${a} + ${b} = ${Number(a) + Number(b)}` : 'I can only add.' };
  },
  'always-429': () => busy,
  'always-500': () => ({ status: 500, text: 'The server had an error.' }),
  'always-401': () => ({ status: 401, text: 'Incorrect API key provided.', type: 'invalid_api_key' }),
  'patience-wanted': () => ({ ...busy, headers: { 'retry-after': '86400' } }),
  /** 429, then 500, then well. */
  flaky: ({ nth, prompt }) => (nth === 1 ? busy : nth === 2 ? { status: 503, text: 'Overloaded.' } : { text: prompt }),
  hang: () => ({ hang: true }),
  'hang-once': ({ nth, prompt }) => (nth === 1 ? { hang: true } : { text: prompt }),
  malformed: () => ({ body: '{"choices": [{"message": ' }),
  html: () => ({ body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } }),
  'wrong-shape': () => ({ body: '{"object":"chat.completion","choices":[],"candidates":[{"content":7}]}' }),
  truncated: () => ({ text: 'x'.repeat(5000), cutAfter: 300 }),
  reset: () => ({ cutAfter: 0 }),
  'truncated-once': ({ nth, prompt }) => (nth === 1 ? { text: 'x'.repeat(5000), cutAfter: 300 } : { text: prompt }),
  endless: () => ({ body: `{"choices":"${'x'.repeat(6_000_000)}"}` }),
  redirect: () => ({ status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data' } }),
  'out-of-tokens': () => ({ text: '{"score": 1, "rea', finish: 'length' }),
  silent: () => ({ text: '' }),
  refuser: () => ({ refusal: 'I cannot help with that.' }),
  /** Puts the key into its own error. */
  tattler: ({ messages }) => ({
    status: 400,
    text: `Bad request: ${messages.length} messages, key sk-test-secret-key-123.`,
  }),

  'judge-1': () => verdict(1, 'It names what is needed.'),
  'judge-0': () => verdict(0, 'It does not name what is needed.'),
  /** Passes answers that scatter light. */
  'judge-scattering': ({ first }) => {
    const isGood = /scatter/i.test(candidateIn(first) ?? '');
    return verdict(isGood ? 1 : 0, isGood ? 'It names scattering.' : 'It does not name scattering.');
  },
  'judge-fenced': () => ({ text: '```json\n{"score": 1, "reason": "Fine."}\n```' }),
  'judge-chatty': () => ({ text: 'Well, I think this deserves {"score": 1, "reason": "nice"} overall.' }),
  'judge-chatty-once': ({ nth }) => (nth === 1 ? { text: 'Looks good to me!' } : verdict(1, 'Good.')),
  'judge-half': () => ({ text: '{"score": 0.5, "reason": "Partly."}' }),
  'judge-text-score': () => ({ text: '{"score": "1", "reason": "Text."}' }),
  'judge-two-scores': () => ({ text: '{"score": 0, "score": 1, "reason": "Both."}' }),
  'judge-no-format': ({ hasFormat }) =>
    hasFormat
      ? { status: 400, type: 'invalid_request_error', text: "Unknown parameter: 'response_format'." }
      : verdict(1, 'Asked without a format.'),
  /** Quotes the candidate as its verdict: what a response plants comes back. */
  'judge-parrot': ({ first }) => ({ text: `The candidate says: ${candidateIn(first) ?? ''}` }),
  /** Obeys any line of the prompt that looks like an instruction. Encoded text has no lines of its own. */
  'judge-gullible': ({ first }) =>
    /^\s*(?:system:|ignore (?:all|previous)|<\/candidate|\{"score": ?1)/im.test(
      first.replace(/^<\/?candidate-[0-9a-f]{16}>$/gm, ''),
    )
      ? verdict(1, 'I was told so.')
      : verdict(0, 'Nobody told me anything.'),
};

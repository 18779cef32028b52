import { secretsOf } from '../../host/config/secrets.ts';
import { changedTexts } from '../../kernel/exact-json.ts';
import { createRedactor } from '../../kernel/redact.ts';
import type { Answer } from '../../wire/service.ts';
import type { Transport } from '../transport.ts';

/** The oldest are forgotten first: logins are renewed, and each caller may have values of its own. */
const MOST = 5000;

export type GivenSecrets = ReturnType<typeof createGivenSecrets>;

/**
 * The secrets that Sluice gave one server: in its environment, arguments, headers and address. `within` finds the secrets
 * of the configuration in a text. What is part of its `name` is no secret.
 */
export function createGivenSecrets(name: string, within: (text: string) => readonly string[]) {
  const given = new Map<string, readonly string[]>();
  let all: readonly string[] | undefined;
  const redact = createRedactor(() => (all ??= [...new Set([...given.values()].flat())]));

  function add(tree: object): void {
    const key = JSON.stringify(tree);
    const known = given.get(key);
    given.delete(key);
    given.set(
      key,
      known ?? [...secretsOf({ dotenv: {}, used: [], env: {}, tree, shown: [name] }), ...textsIn(tree).flatMap(within)],
    );
    if (known) return;
    all = undefined;
    if (given.size > MOST) given.delete(given.keys().next().value as string);
  }

  return {
    redact,
    /** Remembers how a connection is opened. */
    addTransport(transport: Transport): void {
      if (transport.kind === 'stdio') add({ env: transport.env, args: transport.args });
      else add({ urls: transport.urls ?? [transport.url], headers: transport.headers });
    },
    /** Remembers the headers of a login. */
    addHeaders: (headers: Readonly<Record<string, string>>): void => add(headers),
    /** The answer, without these secrets if it is an error. Any other answer is not even looked at. */
    withoutIn(answer: Answer): Answer {
      if ('error' in answer) return { ...answer, error: JSON.parse(redacted(JSON.stringify(answer.error))) };
      if (answer.result.isError !== true) return answer;
      const text = answer.json ?? JSON.stringify(answer.result);
      const json = redacted(text);
      return json === text ? answer : { ...answer, result: JSON.parse(json), json };
    },
  };

  /** JSON without the secrets in its texts. Its keys stay: a secret may be an ordinary word. */
  function redacted(json: string): string {
    return redact.within(json).length === 0 ? json : changedTexts(json, redact);
  }
}

function textsIn(tree: unknown): string[] {
  if (typeof tree === 'string') return [tree];
  return tree !== null && typeof tree === 'object' ? Object.values(tree).flatMap(textsIn) : [];
}

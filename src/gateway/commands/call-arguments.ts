import type { Json } from '../../kernel/source.ts';
import { isObject, parseJson } from '../../wire/jsonrpc.ts';
import { UsageError } from '../../cli/frame.ts';

/**
 * The arguments of a call from the words after the tool's name: one JSON object, `-` for one on stdin,
 * or `key=value` pairs. A value that parses as JSON is JSON; any other is text.
 */
export async function readArguments(words: readonly string[], stdin: () => Promise<string>): Promise<Json> {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1 && first === '-') return readObject(await stdin(), 'What came on stdin');
  if (words.length === 1 && !/^[\w.-]+=/.test(first)) return readObject(first, 'The argument');
  return Object.fromEntries(words.map(readPair));
}

function readObject(text: string, what: string): Json {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    // The parser quotes its input, which may hold a secret.
    const reason = (error as Error).message.replace(/, ?"?\.*"[\s\S]*$/, '');
    throw new UsageError(`${what} is not JSON: ${reason}. Write an object such as '{"text": "hi"}', or text=hi.`);
  }
  if (!isObject(value)) throw new UsageError(`${what} must be an object such as '{"text": "hi"}'.`);
  return value;
}

function readPair(word: string): [string, unknown] {
  const at = word.indexOf('=');
  if (at < 1) throw new UsageError(`${word} is not key=value. Write several arguments all as key=value.`);
  const text = word.slice(at + 1);
  try {
    return [word.slice(0, at), parseJson(text)];
  } catch {
    return [word.slice(0, at), text];
  }
}

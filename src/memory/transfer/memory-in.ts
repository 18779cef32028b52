import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { Recorder } from '../engine.ts';
import { checkLabels, checkText } from '../text.ts';
import { checkPeriod } from '../times.ts';
import type { Besides, GraphLine, NewImport } from './item.ts';

/** What the exports of other memories call the text: mem0 `memory`, or `data` in its store; mcp-server-qdrant `document`. */
const TEXTS = ['text', 'content', 'memory', 'note', 'document', 'page_content', 'data', 'body', 'fact'];
const TAGS = ['tags', 'categories', 'keywords', 'labels'];
const TIMES = ['recorded_at', 'created_at', 'createdAt', 'created', 'timestamp', 'date'];
/** Made from the text, by a model that need not be ours. */
const DERIVED = new Set(['vector', 'vectors', 'embedding', 'embeddings', 'score']);

const MOST_TAGS = 50;
const LONGEST_TAG = 200;
const LONGEST_NAME = 500;
/** Ids that are ours, or could be. */
const ID = /^[\w-]{1,100}$/;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A line of server-memory's file; undefined if it is something else. */
export function graphLineIn(value: unknown): GraphLine | undefined {
  if (!isObject(value)) return undefined;
  const { type, name, entityType, observations = [], from, to, relationType } = value;
  if (type === 'entity' && typeof name === 'string' && typeof entityType === 'string' && isTexts(observations))
    return { type, name, entityType, observations, ...besidesIn(value) };
  if (type === 'relation' && typeof from === 'string' && typeof to === 'string' && typeof relationType === 'string')
    return { type, from, relationType, to, ...besidesIn(value) };
  return undefined;
}

const besidesIn = ({ properties, valid_from, valid_to }: Json): Besides => ({
  ...(isObject(properties) && { properties }),
  ...(typeof valid_from === 'string' && { valid_from }),
  ...(typeof valid_to === 'string' && { valid_to }),
});

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** A memory from a value of JSON. Throws if it is none. */
export function memoryIn(value: unknown): NewImport {
  if (typeof value === 'string') return checked({ text: value });
  if (!isObject(value)) throw refused('It is neither a text nor an object.');
  if (value.type === 'entity' || value.type === 'relation')
    throw refused(`It is not a complete ${value.type} of server-memory.`);
  return checked(value.type === 'memory' && typeof value.text === 'string' ? ownMemory(value) : foreignMemory(value));
}

const refused = (reason: string) => new AppError('invalid_input', reason);

/** A line of our own export. */
function ownMemory(line: Json): NewImport {
  const { id, supersedes, namespace, text, tags, metadata, pinned, origin, recalls, by } = line;
  if (metadata !== undefined && !isObject(metadata)) throw refused('metadata is not an object.');
  return {
    ...(isId(id) && { id }),
    ...(isId(supersedes) && { supersedes }),
    ...(typeof namespace === 'string' && { namespace }),
    text: text as string,
    tags: tagsOf(tags),
    ...(metadata && { metadata }),
    ...times(line, ['recorded_at', 'valid_from', 'valid_to', 'expires_at', 'recalled_at']),
    ...(pinned === true && { pinned }),
    ...(isOrigin(origin) && { origin }),
    ...(typeof recalls === 'number' && Number.isSafeInteger(recalls) && recalls > 0 && { recalls }),
    ...(isObject(by) && { by: recorderOf(by) }),
  };
}

const isOrigin = (value: unknown): value is string => typeof value === 'string' && /^[!-~]{1,200}$/.test(value);
const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);

/** Who recorded it first: a memory may have been imported several times. */
function recorderOf(by: Json): Recorder {
  const { originally, principal, name, client, call } = by;
  if (isObject(originally)) return recorderOf({ ...originally, originally: undefined });
  return Object.fromEntries(
    Object.entries({ principal, name, client, call }).filter(
      ([, value]) => typeof value === 'string' && value.length <= LONGEST_NAME,
    ),
  );
}

const names = new Map([
  ['recorded_at', 'recordedAt'],
  ['valid_from', 'validFrom'],
  ['valid_to', 'validTo'],
  ['expires_at', 'expiresAt'],
  ['recalled_at', 'recalledAt'],
]);

function times(line: Json, keys: readonly string[]): Partial<NewImport> {
  const given = new Map(Object.entries(line));
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = given.get(key);
      if (value === undefined || value === null) return [];
      const time = timeOf(value);
      if (time === undefined) throw refused(`${key} is not a time: ${JSON.stringify(value).slice(0, 50)}.`);
      return [[names.get(key) as string, time]];
    }),
  );
}

/** What another program wrote. Everything that is not the text, tags or a time becomes metadata. */
function foreignMemory(value: Json): NewImport {
  const { payload, ...around } = value;
  // A point of Qdrant.
  if (isObject(payload)) return foreignMemory({ ...around, ...payload });
  const rest = new Map(Object.entries(value).filter(([key, one]) => one !== null && !DERIVED.has(key)));
  const take = <T>(keys: readonly string[], wanted: (one: unknown) => T | undefined): T | undefined => {
    for (const key of keys) {
      const found = rest.has(key) ? wanted(rest.get(key)) : undefined;
      if (found === undefined) continue;
      rest.delete(key);
      return found;
    }
    return undefined;
  };
  const text = take(TEXTS, (one) => (typeof one === 'string' ? one : undefined));
  if (text === undefined) throw refused(`It has no text. A text is in one of: ${TEXTS.join(', ')}.`);
  const tags = take(TAGS, (one) => (typeof one === 'string' || isTexts(one) ? tagsOf(one) : undefined));
  const recordedAt = take(TIMES, timeOf);
  const validFrom = take(['valid_from'], timeOf);
  const validTo = take(['valid_to'], timeOf);
  const expiresAt = take(['expires_at'], timeOf);
  const pinned = take(['pinned'], (one) => (typeof one === 'boolean' ? one : undefined));
  const metadata = take(['metadata'], (one) => (isObject(one) ? one : undefined));
  return {
    text,
    ...(tags && { tags }),
    metadata: { ...Object.fromEntries(rest), ...metadata },
    ...(recordedAt !== undefined && { recordedAt }),
    ...(validFrom !== undefined && { validFrom }),
    ...(validTo !== undefined && { validTo }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(pinned !== undefined && { pinned }),
  };
}

/** A list, or a text with commas. */
export function tagsOf(value: unknown): string[] {
  const given = typeof value === 'string' ? value.split(',') : (value ?? []);
  if (!isTexts(given)) throw refused('tags is not a list of texts.');
  const tags = [...new Set(given.map((tag) => tag.trim()).filter((tag) => tag !== ''))];
  if (tags.length > MOST_TAGS) throw refused(`It has ${tags.length} tags; the limit is ${MOST_TAGS}.`);
  const long = tags.find((tag) => tag.length > LONGEST_TAG);
  if (long !== undefined) throw refused(`A tag has ${long.length} characters; the limit is ${LONGEST_TAG}.`);
  return tags;
}

const [EARLIEST, LATEST] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];
/** Numbers below this are seconds: as milliseconds they would be in 1973 or before. */
const SECONDS = 100_000_000_000;

/** An ISO time, or a number of seconds or milliseconds since 1970. */
export function timeOf(value: unknown): number | undefined {
  const number =
    typeof value === 'number' ? value : /^\d{9,14}(\.\d+)?$/.test(String(value)) ? Number(value) : undefined;
  const time =
    number === undefined
      ? typeof value === 'string' && /\d{4}/.test(value)
        ? Date.parse(value)
        : Number.NaN
      : Math.round(Math.abs(number) < SECONDS ? number * 1000 : number);
  return time >= EARLIEST && time <= LATEST ? time : undefined;
}

/** Throws if it could not be stored, so that one of them never fails a whole batch. */
export function checked(memory: NewImport): NewImport {
  checkText(memory.text);
  checkLabels(memory);
  const { recordedAt, validFrom = recordedAt, validTo } = memory;
  if (validFrom !== undefined) checkPeriod(validFrom, validTo);
  return memory;
}

import { changedJson } from '../kernel/exact-json.ts';
import type { Json } from '../kernel/source.ts';
import { isObject, type Message } from '../wire/jsonrpc.ts';
import type { LinkEvents } from '../wire/link.ts';
import type { UpstreamOptions } from '../wire/upstream.ts';

/** Only Sluice may send keys of `_meta` with this prefix, neither clients nor servers. */
const OURS = 'sluice/';

/** The input and output of a tool are its own: nothing is stripped from them, whatever their keys are called. */
const payload: ReadonlySet<string> = new Set([
  'structuredContent',
  'arguments',
  'input',
  'inputSchema',
  'outputSchema',
  'requestedSchema',
]);

type Links = Pick<UpstreamOptions, 'open' | 'openFallback'>;

/** Links to a server on which it cannot impersonate Sluice: keys with our prefix are dropped. */
export function atBorder({ open, openFallback }: Links): Links {
  return {
    open: (events, signal) => open(searched(events), signal),
    ...(openFallback && { openFallback: (events, signal) => openFallback(searched(events), signal) }),
  };
}

function searched(events: LinkEvents): LinkEvents {
  return {
    ...events,
    message(message, origin, text) {
      if (!disown(message)) return events.message(message, origin, text);
      events.message(
        message,
        origin,
        text === undefined ? undefined : changedJson(text, (same) => disown(same as Message)),
      );
    },
  };
}

/** Removes the keys with our prefix from a message. Returns whether there were any. */
function disown(message: Message): boolean {
  if ('method' in message) {
    // The data of a log message may be anything.
    return message.method === 'notifications/message'
      ? isObject(message.params) && stripMeta(message.params)
      : disownIn(message.params);
  }
  const { error, result } = message;
  const data = isObject(error) && isObject(error.data) ? error.data : undefined;
  const bare = data !== undefined && strip(data);
  return disownIn(data) || disownIn(result) || bare;
}

function disownIn(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  let found = false;
  if (Array.isArray(value)) {
    for (const item of value) if (disownIn(item)) found = true;
    return found;
  }
  const object = value as Json;
  for (const key in object) {
    const inner = object[key];
    if (inner === null || typeof inner !== 'object' || payload.has(key)) continue;
    // The server chooses the names of its questions: one may be called `arguments`.
    const questions = key === 'inputRequests' ? Object.values(inner) : inner;
    if (key === '_meta' ? stripMeta(object) : disownIn(questions)) found = true;
  }
  return found;
}

const stripMeta = ({ _meta }: Json): boolean => isObject(_meta) && strip(_meta);

function strip(named: Json): boolean {
  let found = false;
  for (const key in named) {
    if (!key.startsWith(OURS)) continue;
    delete named[key];
    found = true;
  }
  return found;
}

/** The params of a client's request without the keys that only Sluice may send. */
export function withoutOurs(params: Json): Json {
  const { _meta } = params;
  if (!isObject(_meta)) return params;
  for (const key in _meta) {
    if (!key.startsWith(OURS)) continue;
    const own = Object.fromEntries(Object.entries(_meta).filter(([name]) => !name.startsWith(OURS)));
    return { ...params, _meta: own };
  }
  return params;
}

/** What Redis answers: bytes for texts, and plain texts for numbers, which may have 64 bits, and for states such as OK. */
export type Reply = Buffer | string | null | readonly Reply[];

// Redis promises the shape of each answer. Proxies and other servers that speak its protocol may answer differently.
const odd = (wanted: string, reply: Reply) =>
  new Error(`ERR the server answered with ${reply === null ? 'nothing' : typeof reply} instead of ${wanted}`);

export function numberIn(reply: Reply): number {
  const number = Number(textIn(reply));
  if (Number.isNaN(number)) throw odd('a number', reply);
  return number;
}

export function textIn(reply: Reply): string {
  if (typeof reply === 'string') return reply;
  if (Buffer.isBuffer(reply)) return reply.toString('utf8');
  throw odd('a text', reply);
}

export function bytesIn(reply: Reply): Buffer {
  if (Buffer.isBuffer(reply)) return reply;
  return Buffer.from(textIn(reply));
}

export function listIn(reply: Reply): readonly Reply[] {
  if (reply === null) return [];
  if (Array.isArray(reply)) return reply as readonly Reply[];
  throw odd('a list', reply);
}

export const bytesListIn = (reply: Reply): Buffer[] => listIn(reply).map(bytesIn);

/** A list in which names and values alternate. */
export function pairsIn(reply: Reply): (readonly [Buffer, Buffer])[] {
  const flat = bytesListIn(reply);
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? Buffer.alloc(0)] as const] : []));
}

/** A list in which names and values of any kind alternate, by name. */
export function fieldsIn(reply: Reply): ReadonlyMap<string, Reply> {
  const flat = listIn(reply);
  return new Map(flat.flatMap((name, at) => (at % 2 === 0 ? [[textIn(name), flat[at + 1] ?? null] as const] : [])));
}

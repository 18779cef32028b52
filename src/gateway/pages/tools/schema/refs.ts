import { isObject, own } from './json.ts';

/** What a reference within the document leads to; undefined if it leads nowhere. Nothing outside is ever fetched. */
export function target(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  const pointer = decoded(reference.slice(1));
  if (pointer === '') return root;
  if (!pointer.startsWith('/')) return anchored(root, pointer);
  let at: unknown = root;
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(name)] : isObject(at) ? own(at, name) : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Anchors are looked for where definitions stand. */
function anchored(root: unknown, name: string): unknown {
  if (!isObject(root)) return undefined;
  const places = [own(root, '$defs'), own(root, 'definitions')].filter(isObject);
  return places
    .flatMap((place) => Object.values(place))
    .find((one) => isObject(one) && (own(one, '$anchor') === name || own(one, '$id') === `#${name}`));
}

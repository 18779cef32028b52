import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { own } from '../../kernel/own.ts';
import type { Link, LinkKind, Mappable, Named } from './link.ts';

/** How something of the source was found on the target. */
export type How = 'mapping' | 'kept' | 'id' | 'name';

export type Match =
  | { readonly how: How; readonly to: Named }
  /** Several have the name: only the caller knows which. */
  | { readonly how: 'ambiguous'; readonly ids: readonly string[] };

export interface Matching {
  readonly kind: LinkKind;
  /** From id or name on the source to id or name on the target. */
  readonly mapping: Readonly<Record<string, string>> | undefined;
  readonly links: readonly Link[];
  readonly targets: readonly Mappable[];
  /** The name of the target. */
  readonly instance: string;
  /** Whether `targets` is complete. If not, an id in the mapping is believed. */
  readonly isComplete?: boolean;
}

/** Finds what stands for something on the target. `matcher` prepares the lookups once. */
export function matcher({ kind, mapping = {}, links, targets, instance, isComplete = true }: Matching) {
  const kept = new Map(links.filter((link) => link.kind === kind).map((link) => [link.id, link.to.id]));
  const byId = new Map(targets.map((one) => [one.id, one]));
  const byName = Map.groupBy(targets, (one) => keyOf(one));

  function named(word: string, type: string | undefined): Named {
    const byThisId = byId.get(word);
    if (byThisId && byThisId.type === type) return namedOf(byThisId);
    const found = byName.get(keyOf({ name: word, type })) ?? [];
    const [only, ...more] = found;
    if (only && more.length === 0) return namedOf(only);
    const what = type === undefined ? kind : `${kind} of type ${type}`;
    if (more.length > 0) {
      const ids = found.map(({ id }) => id).join(', ');
      throw bad(
        `n8n (${instance}) has ${found.length} of the name "${shown(word)}": ${ids}. Use the id in the mapping.`,
      );
    }
    if (!isComplete) return { id: word, name: word };
    const names = targets.filter((one) => one.type === type).map(({ name }) => name);
    throw bad(
      `The mapping names the ${what} "${shown(word)}", which n8n (${instance}) does not have. ${didYouMean(inQuotes(nearestNames(word, names)))}`.trim(),
    );
  }

  return (item: Mappable): Match | undefined => {
    const word = own(mapping, item.id) ?? own(mapping, item.name);
    if (word !== undefined) return { how: 'mapping', to: named(word, item.type) };
    const link = byId.get(kept.get(item.id) ?? '');
    if (link) return { how: 'kept', to: namedOf(link) };
    const same = byId.get(item.id);
    if (same && same.name === item.name && same.type === item.type) return { how: 'id', to: namedOf(same) };
    const found = byName.get(keyOf(item)) ?? [];
    const [only, ...more] = found;
    if (!only) return undefined;
    return more.length === 0
      ? { how: 'name', to: namedOf(only) }
      : { how: 'ambiguous', ids: found.map(({ id }) => id) };
  };
}

const keyOf = ({ name, type }: { name: string; type?: string | undefined }): string => JSON.stringify([type, name]);
const namedOf = ({ id, name }: Named): Named => ({ id, name });
const bad = (message: string): AppError => new AppError('invalid_input', message);

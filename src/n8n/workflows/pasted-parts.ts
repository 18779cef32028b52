import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { exportedNodeKeys } from '../../validation/structure/exported-keys.ts';
import { isRecord, own, type Rec } from '../../validation/json/record.ts';
import { nodeKeys } from './node-input.ts';
import { isSetting } from './settings.ts';

export type Refuse = (path: PropertyKey[], message: string) => void;

/** Nobody misses what says nothing. */
export const isEmpty = (value: unknown): boolean =>
  !value || (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);

const takenInNode: ReadonlySet<string> = new Set(nodeKeys);

/** A node as n8n takes it. What was meant for n8n and misspelt is refused, what n8n wrote itself is dropped. */
export function cleanNode(
  node: Rec,
  isPasted: boolean,
  drop: (key: string) => void,
  at: PropertyKey[],
  refuse: Refuse,
): Rec {
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(node)) {
    if (takenInNode.has(key)) {
      if (value === null || (value === '' && (key === 'id' || key === 'webhookId'))) continue;
      if (key === 'credentials' && isRecord(value)) kept.push([key, cleanCredentials(value, drop)]);
      else kept.push([key, key === 'typeVersion' && typeof value === 'string' ? Number(value) : value]);
    } else if (exportedNodeKeys.has(key)) drop(`nodes[].${key}`);
    else {
      const near = key.length < 4 ? [] : nearestNames(key, nodeKeys, 1).filter((name) => !Object.hasOwn(node, name));
      if (near.length > 0) refuse([...at, key], `unknown. ${didYouMean(inQuotes(near))}`);
      else if (isPasted && Object.hasOwn(node, 'parameters')) drop(`nodes[].${shown(key, 40)}`);
      else refuse([...at, key], 'unknown. Is it a parameter? Put it into "parameters"');
    }
  }
  return Object.fromEntries(kept);
}

/** Old exports name a credential only, and some have an empty place for one. */
function cleanCredentials(credentials: Rec, drop: (key: string) => void): Rec {
  return Object.fromEntries(
    Object.entries(credentials).flatMap(([type, one]): [string, unknown][] => {
      if (typeof one === 'string' && one !== '') return [[type, { id: null, name: one }]];
      if (!isRecord(one)) return [];
      const [id, name] = [own(one, 'id'), own(one, 'name')];
      if (typeof name === 'string' && (id === undefined || id === null || typeof id === 'string')) {
        return id === '' && name === '' ? [] : [[type, { ...one, id: id === '' ? null : (id ?? null) }]];
      }
      if (typeof id === 'string' && id !== '') return [[type, { ...one, name: '' }]];
      if (!isEmpty(one)) drop(`nodes[].credentials.${shown(type, 40)}`);
      return [];
    }),
  );
}

/** Misspelt ones stay, and are refused with a hint later; "DEFAULT" is how the editor writes that there is none. */
export function cleanSettings(settings: Rec, drop: (key: string) => void): Rec {
  return Object.fromEntries(
    Object.entries(settings).filter(([key, value]) => {
      if (isSetting(key)) return value !== null && value !== 'DEFAULT' && !(key === 'callerPolicy' && value === '');
      if (isSetting(key, 'nearly')) return true;
      drop(`settings.${shown(key, 40)}`);
      return false;
    }),
  );
}

import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { exportedNodeKeys } from '../../validation/structure/exported-keys.ts';
import { isRecord, own, type Rec } from '../../validation/json/record.ts';
import { nodeKeys } from './node-input.ts';
import { isSetting } from './settings.ts';

export type Refuse = (path: PropertyKey[], message: string) => void;

/** Whether a dropped value had no content, so that it need not be reported. */
export const isEmpty = (value: unknown): boolean =>
  !value || (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);

const takenInNode: ReadonlySet<string> = new Set(nodeKeys);

/** A node as n8n accepts it. Refuses misspelt keys; drops keys that n8n itself wrote. */
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
      else refuse([...at, key], 'unknown. If it is a parameter, put it into "parameters"');
    }
  }
  return Object.fromEntries(kept);
}

/** Old exports have only the name of a credential, and some have an empty entry. */
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

/** Keeps misspelt settings: they are refused later, with a hint. The editor writes "DEFAULT" for none. */
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

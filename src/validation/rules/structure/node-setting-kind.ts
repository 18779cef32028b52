import type { Fix } from '../../finding.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { nodeSettings } from '../../structure/node-keys.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

const kinds = { text: 'string', number: 'number', boolean: 'boolean' } as const;

/** n8n's API refuses these. What came in by the editor runs, with what JavaScript makes of it: mostly what was meant. */
export const nodeSettingKind: Rule = {
  id: 'node-setting-kind',
  group: 'structure',
  title: 'Each setting of a node (retryOnFail, disabled, typeVersion, …) is of its kind.',
  severity: 'error',
  fixesSafely: true,
  supersedes: ['type-version-missing'],
  check({ nodes, purpose }, report) {
    for (const { raw, pointer, name } of nodes) {
      for (const [key, kind] of Object.entries(nodeSettings)) {
        const value = own(raw, key);
        if (value === undefined || typeof value === kinds[kind]) continue;
        // Only the API minds.
        if (value === null && purpose !== 'save') continue;
        const path = `${pointer}/${key}`;
        const fix = fixOf(key, kind, value, path);
        report({
          path,
          node: name,
          message: `"${key}" has to be a ${kind}, not ${kindOf(value)}.${fix ? '' : ' Change it, or leave it out.'}`,
          ...(fix && { fix }),
          ...(purpose !== 'save' && !isLost(key, kind, value) && { severity: 'warning' as const }),
        });
      }
    }
  },
};

/** A version that is no number fits no condition of a parameter; with tries that cannot be counted the node is not tried once. */
function isLost(key: string, kind: keyof typeof kinds, value: unknown): boolean {
  return key === 'typeVersion' || (kind === 'number' && Number.isNaN(Number(value)));
}

function fixOf(key: string, kind: keyof typeof kinds, value: unknown, path: string): Fix | undefined {
  if (value === null) {
    return { description: `Leave "${key}" out.`, ...effectOf(key, value), patch: [{ op: 'remove', path }] };
  }
  const meant = meantBy(kind, value);
  if (meant === undefined || key === 'onError') return undefined;
  return {
    description: `Make "${key}" a ${kind}.`,
    ...effectOf(key, value),
    patch: [{ op: 'replace', path, value: meant }],
  };
}

/** n8n asks most switches whether they are true itself, so a text is false to them, and counts with a number as text. */
function effectOf(key: string, value: unknown): { safe: true } | { safe: false; changes: string } {
  if (key === 'typeVersion')
    return { safe: false, changes: 'n8n reads parameters that it passes over with this version.' };
  if (key === 'webhookId' && value !== null) return { safe: false, changes: 'The address of the node may change.' };
  if (key === 'continueOnFail' && value === 'false')
    return {
      safe: false,
      changes: 'The run stops at an error; now it goes on, because every text counts as true here.',
    };
  if (key !== 'notesInFlow' && value === 'true')
    return { safe: false, changes: `"${key}" begins to count: to n8n only true itself is true here.` };
  return { safe: true };
}

function meantBy(kind: keyof typeof kinds, value: unknown): unknown {
  if (kind === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  if (kind === 'text') return typeof value === 'number' ? String(value) : undefined;
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

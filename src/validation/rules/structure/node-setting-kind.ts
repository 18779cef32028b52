import type { Fix } from '../../finding.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { nodeSettings } from '../../structure/node-keys.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

type Kind = (typeof nodeSettings)[keyof typeof nodeSettings];

/** n8n's API refuses these. Saved through the editor they run, converted by JavaScript: mostly as meant. */
export const nodeSettingKind: Rule = {
  id: 'node-setting-kind',
  group: 'structure',
  title: 'Each node setting (retryOnFail, disabled, typeVersion, …) has the right type.',
  severity: 'error',
  fixesSafely: true,
  supersedes: ['type-version-missing'],
  check({ nodes, purpose }, report) {
    for (const { raw, pointer, name } of nodes) {
      for (const [key, kind] of Object.entries(nodeSettings)) {
        const value = own(raw, key);
        if (value === undefined || typeof value === kind) continue;
        // Only the API refuses null.
        if (value === null && purpose !== 'save') continue;
        const path = `${pointer}/${key}`;
        const fix = fixOf(key, kind, value, path);
        report({
          path,
          node: name,
          message: `"${key}" must be a ${kind}, not ${kindOf(value)}.${fix ? '' : ' Change it, or leave it out.'}`,
          ...(fix && { fix }),
          ...(purpose !== 'save' && !isLost(key, kind, value) && { severity: 'warning' as const }),
        });
      }
    }
  },
};

/** Without a numeric version no parameter condition matches. Without a numeric retry count the node does not run at all. */
function isLost(key: string, kind: Kind, value: unknown): boolean {
  return key === 'typeVersion' || (kind === 'number' && Number.isNaN(Number(value)));
}

function fixOf(key: string, kind: Kind, value: unknown, path: string): Fix | undefined {
  if (value === null) {
    return { description: `Remove "${key}".`, ...effectOf(key, value), patch: [{ op: 'remove', path }] };
  }
  const meant = meantBy(kind, value);
  if (meant === undefined || key === 'onError') return undefined;
  return {
    description: `Make "${key}" a ${kind}.`,
    ...effectOf(key, value),
    patch: [{ op: 'replace', path, value: meant }],
  };
}

/** n8n compares most switches with `true` itself, so a string counts as false. It converts numbers given as strings. */
function effectOf(key: string, value: unknown): { safe: true } | { safe: false; changes: string } {
  if (key === 'typeVersion') return { safe: false, changes: 'n8n reads parameters that it skips with this version.' };
  if (key === 'webhookId' && value !== null) return { safe: false, changes: 'The webhook URL of the node may change.' };
  if (key === 'continueOnFail' && value === 'false')
    return {
      safe: false,
      changes: 'The run stops at an error instead of continuing: n8n counts any string as true here.',
    };
  if (key !== 'notesInFlow' && value === 'true')
    return { safe: false, changes: `"${key}" takes effect: n8n accepts only true here, not the string "true".` };
  return { safe: true };
}

function meantBy(kind: Kind, value: unknown): unknown {
  if (kind === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  if (kind === 'string') return typeof value === 'number' ? String(value) : undefined;
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

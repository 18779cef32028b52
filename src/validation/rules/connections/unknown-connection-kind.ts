import { didYouMean, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { pointer } from '../../json/json-pointer.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { connectionKinds, isKind } from '../../connections/connection-kinds.ts';
import { rawEntries, rawSources } from '../../connections/raw-connections.ts';

/** n8n saves the connection, but nothing ever flows along it. */
export const unknownConnectionKind: Rule = {
  id: 'unknown-connection-kind',
  group: 'connections',
  title: 'Every connection has a kind that n8n knows: main, ai_tool, ai_languageModel and so on.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const { workflow, byName } = subject;
    for (const [source, kinds] of rawSources(workflow)) {
      if (!isRecord(kinds) || !byName(source)) continue;
      for (const kind of Object.keys(kinds)) {
        if (isKind(kind)) continue;
        report({ node: source, path: pointer('/connections', source, kind), message: messageFor(kind) });
      }
    }
    for (const { source, kind, value, pointer: base } of rawEntries(subject)) {
      const type = isRecord(value) ? own(value, 'type') : undefined;
      if (typeof type !== 'string' || type === '' || type === kind || isKind(type)) continue;
      const path = `${base}/type`;
      const fix = {
        description: `Use "${kind}".`,
        safe: false as const,
        changes: `"${source}" reaches its target as "${kind}".`,
        patch: [{ op: 'replace' as const, path, value: kind }],
      };
      report({ node: source, path, message: messageFor(type), ...(isKind(kind) && { fix }) });
    }
  },
};

function messageFor(kind: string): string {
  return `n8n has no connection kind "${shown(kind)}". ${adviceOn(kind)}`;
}

function adviceOn(kind: string): string {
  if (/error/i.test(kind)) {
    return 'Errors leave at the last "main" output if "onError" of the node is continueErrorOutput.';
  }
  const near = nearestNames(kind, connectionKinds, 2);
  if (!/^ai/i.test(kind) || near.length === 0) {
    return `Items flow along "main"; sub-nodes use one of ${connectionKinds.slice(1).join(', ')}.`;
  }
  return didYouMean(near);
}

import { pointer } from '../../json/json-pointer.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { isRecord, own, type Rec } from '../../json/record.ts';
import type { Report, Rule } from '../../rule.ts';
import { rawEntries, rawSources } from '../../connections/raw-connections.ts';

const form = '{ "Source": { "main": [[{ "node": "Target", "type": "main", "index": 0 }]] } }';

/** n8n refuses connections of any other shape. An unconnected output may be null. */
export const connectionShape: Rule = {
  id: 'connection-shape',
  group: 'connections',
  title: 'Connections map source name, kind and output to a list of targets.',
  severity: 'error',
  check(subject, report) {
    const { workflow, byName } = subject;
    for (const [source, kinds] of rawSources(workflow)) {
      const node = byName(source) && { node: source };
      if (!isRecord(kinds)) {
        const message = `The connections of "${source}" must be an object with kinds as keys, as in ${form}, not ${kindOf(kinds)}.`;
        report({ ...node, path: pointer('/connections', source), message });
      } else {
        for (const kind of Object.keys(kinds)) checkOutputs(source, kind, kinds[kind], report);
      }
    }
    for (const { source, kind, value, pointer: path } of rawEntries(subject)) {
      if (isRecord(value)) checkEnd(source, kind, value, path, report);
      else {
        const message = `A connection of "${source}" must be { "node": "Target", "type": "${kind}", "index": 0 }, not ${kindOf(value)}.`;
        report({ node: source, path, message, ...(typeof value === 'string' && fixTo(path, end(value, kind))) });
      }
    }
  },
};

function checkOutputs(source: string, kind: string, outputs: unknown, report: Report): void {
  const path = pointer('/connections', source, kind);
  if (!Array.isArray(outputs)) {
    const message = `"${kind}" of "${source}" must be a list with one list of targets for each output, as in ${form}, not ${kindOf(outputs)}.`;
    report({ node: source, path, message, ...(isEnd(outputs) && fixTo(path, [[outputs]])) });
    return;
  }
  if (outputs.length > 0 && outputs.every(isEnd)) {
    const message = `The targets of "${source}" are directly in "${kind}", but each output needs its own list. Add another pair of brackets around them.`;
    report({ node: source, path, message, ...fixTo(path, [outputs]) });
    return;
  }
  for (const [output, targets] of (outputs as unknown[]).entries()) {
    if (Array.isArray(targets) || targets === null) continue;
    const message = `Output ${output} of "${source}" must be a list of targets, or null, not ${kindOf(targets)}.`;
    report({
      node: source,
      path: `${path}/${output}`,
      message,
      ...(isEnd(targets) && fixTo(`${path}/${output}`, [targets])),
    });
  }
}

function checkEnd(source: string, kind: string, value: Rec, path: string, report: Report): void {
  const [node, type, index] = ['node', 'type', 'index'].map((key) => own(value, key));
  if (typeof node !== 'string' || node === '') {
    report({
      node: source,
      path,
      message: `A connection of "${source}" has no target. Set "node" to the name of the target.`,
    });
    return;
  }
  if (typeof type !== 'string' || type === '') {
    const message = `The connection from "${source}" to "${node}" has no "type". Set it to the kind of input, here "${kind}".`;
    report({ node: source, path, message, ...fixTo(path, { ...value, type: kind }) });
  } else if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) {
    const message = `The connection from "${source}" to "${node}" needs the input number as "index". The first is 0.`;
    const meant = index === undefined || index === null ? 0 : typeof index === 'string' ? Number(index || 'x') : -1;
    report({
      node: source,
      path,
      message,
      ...(Number.isInteger(meant) && meant >= 0 && fixTo(path, { ...value, index: meant })),
    });
  }
}

const isEnd = (value: unknown): boolean => isRecord(value) && typeof own(value, 'node') === 'string';

const end = (node: string, type: string) => ({ node, type, index: 0 });

function fixTo(path: string, value: unknown) {
  return {
    fix: {
      description: 'Write the connection in the shape that n8n expects.',
      safe: false as const,
      changes: 'Items flow along this connection. Now n8n does not save the workflow.',
      patch: [{ op: 'replace' as const, path, value }],
    },
  };
}

import { pointer } from '../../json/json-pointer.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { isRecord, own, type Rec } from '../../json/record.ts';
import type { Report, Rule } from '../../rule.ts';
import { rawEntries, rawSources } from '../../connections/raw-connections.ts';

const form = '{ "Source": { "main": [[{ "node": "Target", "type": "main", "index": 0 }]] } }';

/** n8n refuses a workflow whose connections have another form. An output that leads nowhere may be null. */
export const connectionShape: Rule = {
  id: 'connection-shape',
  group: 'connections',
  title: 'Connections are lists of targets by output, kind and name of the source.',
  severity: 'error',
  check(subject, report) {
    const { workflow, byName } = subject;
    for (const [source, kinds] of rawSources(workflow)) {
      const node = byName(source) && { node: source };
      if (!isRecord(kinds)) {
        const message = `The connections of "${source}" have to be an object by kind, as in ${form}, not ${kindOf(kinds)}.`;
        report({ ...node, path: pointer('/connections', source), message });
      } else {
        for (const kind of Object.keys(kinds)) checkOutputs(source, kind, kinds[kind], report);
      }
    }
    for (const { source, kind, value, pointer: path } of rawEntries(subject)) {
      if (isRecord(value)) checkEnd(source, kind, value, path, report);
      else {
        const message = `A connection of "${source}" has to be { "node": "Target", "type": "${kind}", "index": 0 }, not ${kindOf(value)}.`;
        report({ node: source, path, message, ...(typeof value === 'string' && fixTo(path, end(value, kind))) });
      }
    }
  },
};

function checkOutputs(source: string, kind: string, outputs: unknown, report: Report): void {
  const path = pointer('/connections', source, kind);
  if (!Array.isArray(outputs)) {
    const message = `"${kind}" of "${source}" has to be a list with one list of targets for each output, as in ${form}, not ${kindOf(outputs)}.`;
    report({ node: source, path, message, ...(isEnd(outputs) && fixTo(path, [[outputs]])) });
    return;
  }
  if (outputs.length > 0 && outputs.every(isEnd)) {
    const message = `The targets of "${source}" stand directly in "${kind}". Each output has a list of its own: put them into one more pair of brackets.`;
    report({ node: source, path, message, ...fixTo(path, [outputs]) });
    return;
  }
  for (const [output, targets] of (outputs as unknown[]).entries()) {
    if (Array.isArray(targets) || targets === null) continue;
    const message = `Output ${output} of "${source}" has to be a list of targets, or null, not ${kindOf(targets)}.`;
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
      message: `A connection of "${source}" does not say where it leads. Give "node", the name of the target.`,
    });
    return;
  }
  if (typeof type !== 'string' || type === '') {
    const message = `The connection from "${source}" to "${node}" has no "type". Give the kind of input, here "${kind}".`;
    report({ node: source, path, message, ...fixTo(path, { ...value, type: kind }) });
  } else if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) {
    const message = `The connection from "${source}" to "${node}" needs the number of the input as "index": 0 is the first.`;
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
      description: 'Write the connection as n8n does.',
      safe: false as const,
      changes: 'n8n does not save the workflow now; then items go along this connection.',
      patch: [{ op: 'replace' as const, path, value }],
    },
  };
}

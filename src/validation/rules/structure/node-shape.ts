import type { Finding, Fix } from '../../finding.ts';
import { kindOf } from '../../messages/kind-of.ts';
import { isRecord, own, type Rec } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** The shape that n8n requires of a node before it saves a workflow. */
export const nodeShape: Rule = {
  id: 'node-shape',
  group: 'structure',
  title: 'A node has a name, a type and a position, and each of its fields has the right shape.',
  severity: 'error',
  fixesSafely: true,
  check({ workflow }, report) {
    const nodes = own(workflow, 'nodes');
    if (!Array.isArray(nodes)) return;
    for (const [index, raw] of (nodes as readonly unknown[]).entries()) {
      const path = `/nodes/${index}`;
      if (!isRecord(raw)) {
        report({ path, message: `A node must be an object with a name, a type and a position, not ${kindOf(raw)}.` });
        continue;
      }
      const node = typeof raw['name'] === 'string' && raw['name'] !== '' ? raw['name'] : undefined;
      for (const fault of faultsOf(raw, path, index)) report({ ...fault, ...(node !== undefined && { node }) });
    }
  },
};

type Fault = Pick<Finding, 'path' | 'message' | 'fix'>;

function* faultsOf(raw: Rec, path: string, index: number): Generator<Fault> {
  yield* textFault(raw, path, 'name', 'Give it a name that no other node has.');
  yield* textFault(raw, path, 'type', 'Give the full type name, such as n8n-nodes-base.httpRequest.');
  const name = own(raw, 'name');
  if (typeof name === 'string' && name in {}) {
    yield { path: `${path}/name`, message: `n8n cannot run a node called "${name}". Rename it.` };
  }
  yield* positionFault(raw, path, index);
  const parameters = own(raw, 'parameters');
  if (parameters !== undefined && !isRecord(parameters)) {
    const empty = parameters === null || (Array.isArray(parameters) && parameters.length === 0);
    yield {
      path: `${path}/parameters`,
      message: `"parameters" must be an object with parameter names as keys, not ${kindOf(parameters)}.`,
      ...(empty && { fix: replaced('Set it to an empty object.', `${path}/parameters`, {}) }),
    };
  }
  const credentials = own(raw, 'credentials');
  if (credentials !== undefined && !isRecord(credentials)) {
    yield {
      path: `${path}/credentials`,
      message: `"credentials" must be an object with credential types as keys, { "slackApi": { "id": "…", "name": "…" } }, not ${kindOf(credentials)}.`,
    };
  }
}

function* textFault(raw: Rec, path: string, key: 'name' | 'type', advice: string): Generator<Fault> {
  const value = own(raw, key);
  if (typeof value === 'string' && value !== '') return;
  const missing = value === undefined;
  yield {
    path: missing ? path : `${path}/${key}`,
    message: missing
      ? `The node has no "${key}". ${advice}`
      : `"${key}" ${value === '' ? 'is empty' : `must be a string, not ${kindOf(value)}`}. ${advice}`,
  };
}

function* positionFault(raw: Rec, path: string, index: number): Generator<Fault> {
  const position = own(raw, 'position');
  if (Array.isArray(position) && position.length === 2 && position.every((one) => typeof one === 'number')) return;
  const place = meant(position) ?? [index * 220, 0];
  if (position === undefined) {
    yield {
      path,
      message: 'The node has no "position", and n8n does not save it without one. Add "position": [x, y].',
      fix: {
        description: 'Give it a position.',
        safe: true,
        patch: [{ op: 'add', path: `${path}/position`, value: place }],
      },
    };
  } else {
    const at = `${path}/position`;
    yield {
      path: at,
      message: '"position" must be two numbers, [x, y].',
      fix: replaced('Give it a position.', at, place),
    };
  }
}

/** People also write `{ x, y }`, numbers as strings, or a third number. */
function meant(position: unknown): [number, number] | undefined {
  const pair: unknown[] = Array.isArray(position)
    ? position.slice(0, 2)
    : isRecord(position)
      ? [own(position, 'x'), own(position, 'y')]
      : [];
  const [x, y] = pair.map((one) => (typeof one === 'string' && one.trim() !== '' ? Number(one) : one));
  return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y)
    ? [x, y]
    : undefined;
}

function replaced(description: string, path: string, value: unknown): Fix {
  return { description, safe: true, patch: [{ op: 'replace', path, value }] };
}

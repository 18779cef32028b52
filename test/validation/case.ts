/**
 * Test workflows, valid ones and ones that are broken in one way, and the findings that the validator must report.
 *
 * One file per rule, `test/validation/corpus/<group>/<rule>.ts`, exports `cases`:
 *
 * const sound = flow([node('Start', 'manualTrigger', 1), node('Fetch', 'httpRequest', 4.2, { url: 'https://example.com' })], ['Start -> Fetch']);
 *
 * export const cases: Case[] = [
 *   valid('a request with a URL', sound),
 *   broken('a node type that does not exist', changed(sound, '/nodes/1/type', 'n8n-nodes-base.httpRequst'),
 *     [{ rule: 'unknown-node-type', path: '/nodes/1/type' }]),
 * ];
 */
import type { Purpose, Severity } from '../../src/validation/finding.ts';
import { pointerNames } from '../../src/validation/json/json-pointer.ts';
import type { RuleGroup } from '../../src/validation/rule.ts';
import type { World } from '../../src/validation/subject/subject.ts';

export interface Case {
  readonly name: string;
  readonly workflow: unknown;
  /** All expected findings; none for a valid workflow. */
  readonly expected: readonly Expected[];
  /** The purpose of the validation, `run` by default. */
  readonly purpose: Purpose;
  readonly world?: World;
  /** The rule groups to run. By default all except lint and suggestions. */
  readonly groups: readonly RuleGroup[];
  /**
   * For a valid workflow: the rules that may report warnings or errors when all rules run. Any other warning is noise and
   * fails the test.
   */
  readonly warnings: readonly string[];
}

export interface Expected {
  readonly rule: string;
  readonly path: string;
  readonly severity?: Severity;
  /** Text that the message must contain. */
  readonly says?: string;
  /** The workflow after the fix; null if there must be no fix. Every fix must remove the finding. */
  readonly fixed?: unknown;
}

export interface Circumstances {
  readonly purpose?: Purpose;
  readonly world?: World;
  readonly groups?: readonly RuleGroup[];
  readonly warnings?: readonly string[];
}

const usual: readonly RuleGroup[] = [
  'structure',
  'parameters',
  'connections',
  'expressions',
  'webhooks',
  'credentials',
];

/** Its groups report nothing, no rule warns except those it lists, and a real n8n accepts it. */
export function valid(name: string, workflow: unknown, circumstances: Circumstances = {}): Case {
  return { name, workflow, expected: [], purpose: 'run', groups: usual, warnings: [], ...circumstances };
}

/** Expects exactly these findings at these paths. */
export function broken(
  name: string,
  workflow: unknown,
  expected: readonly Expected[],
  circumstances: Circumstances = {},
): Case {
  if (expected.length === 0) throw new Error(`"${name}" expects no findings: use valid().`);
  return { name, workflow, expected, purpose: 'run', groups: usual, warnings: [], ...circumstances };
}

/** A node without id and position: `flow` adds both. */
export interface TestNode {
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly parameters: Record<string, unknown>;
}

/** `httpRequest` is in n8n-nodes-base, `ai:agent` in the langchain package. A type with a dot is complete. */
export function node(
  name: string,
  type: string,
  typeVersion: number,
  parameters: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): TestNode {
  return { name, type: wholeType(type), typeVersion, parameters, ...more };
}

function wholeType(type: string): string {
  if (type.startsWith('ai:')) return `@n8n/n8n-nodes-langchain.${type.slice(3)}`;
  return type.includes('.') ? type : `n8n-nodes-base.${type}`;
}

/** Adds ids and positions to the nodes and connects them: `'A -> B'`, `'If:1 -> B'`, `'A -> Merge:1'`, `'Model -ai_languageModel-> Agent'`. */
export function flow(nodes: readonly TestNode[], arrows: readonly string[] = [], more: object = {}) {
  const placed = nodes.map((one, index) => ({
    id: `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
    position: [index * 220, 0],
    ...one,
  }));
  return { name: 'A test', nodes: placed, connections: connectionsOf(arrows), settings: {}, ...more };
}

type Connections = Record<string, Record<string, ({ node: string; type: string; index: number }[] | null)[]>>;

export function connectionsOf(arrows: readonly string[]): Connections {
  const connections: Connections = {};
  for (const arrow of arrows) {
    const match = /^(.+?)(?::(\d+))? -(?:(\w+)-)?> (.+?)(?::(\d+))?$/.exec(arrow);
    if (!match) throw new Error(`"${arrow}" is not an arrow.`);
    const [, source = '', output = '0', kind = 'main', target = '', input = '0'] = match;
    const outputs = ((connections[source] ??= {})[kind] ??= []);
    while (outputs.length <= Number(output)) outputs.push([]);
    outputs[Number(output)]?.push({ node: target, type: kind, index: Number(input) });
  }
  return connections;
}

/** For `changed`: remove the value. */
export const gone = Symbol('gone');

/** A copy with one value changed. `/nodes/-` appends to a list. */
export function changed<T>(workflow: T, path: string, value: unknown): T {
  const copy = structuredClone(workflow);
  const names = pointerNames(path);
  const last = names.pop() as string;
  let place = copy as Record<string, unknown>;
  for (const name of names) place = place[name] as Record<string, unknown>;
  if (Array.isArray(place)) {
    if (last === '-') place.push(value);
    else place.splice(Number(last), 1, ...(value === gone ? [] : [value]));
  } else if (value === gone) delete place[last];
  else place[last] = value;
  return copy;
}

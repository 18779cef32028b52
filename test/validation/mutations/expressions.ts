import { changed } from '../case.ts';
import type { Mutant, Mutation, Sound } from '../mutation.ts';

type Node = Readonly<Record<string, unknown>>;

/** The enabled nodes of a type, with their parameters. */
function running({ nodes }: Sound, type: RegExp): [Record<string, unknown>, number][] {
  return nodes.flatMap((node: Node, index): [Record<string, unknown>, number][] => {
    const { parameters, disabled, typeVersion } = node;
    const isIt = type.test(String(node['type'])) && disabled !== true && typeof parameters === 'object' && parameters;
    return isIt && Number(typeVersion) >= 2 ? [[parameters as Record<string, unknown>, index]] : [];
  });
}

/** Changes the first field that a Set node sets. */
function ofSet(rule: string, name: string, value: string): Mutation {
  return {
    rule,
    name,
    break: (workflow) =>
      running(workflow, /\.set$/).flatMap(([{ assignments, mode }, index]): Mutant[] => {
        const list = (assignments as { assignments?: unknown[] } | undefined)?.assignments;
        if (mode === 'raw' || !Array.isArray(list) || list.length === 0) return [];
        const path = `/nodes/${index}/parameters/assignments/assignments/0/value`;
        return [{ workflow: changed(workflow, path, value), path }];
      }),
  };
}

function ofCode(rule: string, name: string, code: (before: string) => string): Mutation {
  return {
    rule,
    name,
    break: (workflow) =>
      running(workflow, /-base\.code$/).flatMap(([{ jsCode, language }, index]): Mutant[] => {
        if (typeof jsCode !== 'string' || (language !== undefined && language !== 'javaScript')) return [];
        const path = `/nodes/${index}/parameters/jsCode`;
        return [{ workflow: changed(workflow, path, code(jsCode)), path }];
      }),
  };
}

/** Changes every node with exactly one credential. */
function ofCredentials(
  rule: string,
  name: string,
  change: (node: Node, type: string) => Node,
  at: (type: string) => string,
): Mutation {
  return {
    rule,
    name,
    break: ({ nodes, ...rest }) =>
      nodes.flatMap((node, index): Mutant[] => {
        const [type, ...more] = Object.keys((node['credentials'] as object | undefined) ?? {});
        if (type === undefined || more.length > 0 || node['disabled'] === true) return [];
        const workflow = { ...rest, nodes: nodes.map((one) => (one === node ? change(node, type) : one)) };
        return [{ workflow, path: `/nodes/${index}${at(type)}` }];
      }),
  };
}

export const mutations: Mutation[] = [
  ofSet('expression-syntax', 'an expression that does not parse', '={{ $json.a + }}'),
  ofSet('expression-unclosed', 'an expression without an end', '={{ $json.a'),
  ofSet('expression-empty', 'an empty expression', '={{ }}'),
  ofSet('expression-refused', 'an expression that n8n refuses', '={{ $json.constructor }}'),
  ofSet('expression-missing-equals', 'an expression without its "="', '{{ $json.a }}'),
  ofSet('expression-double-equals', 'an expression with two "="', '=={{ $json.a }}'),
  ofSet('unknown-node-reference', 'an unknown node', "={{ $('Nobody at all').item.json.a }}"),
  ofSet('unknown-variable', 'an unknown variable', '={{ $jsno.a }}'),
  ofSet('unknown-name', 'an unknown name', '={{ total + 1 }}'),
  ofSet('hard-coded-secret', 'a key', 'ghp_'.concat('q7Zk2Vd9Lr4Tx8Wm3Yb6Nc1Hf5Js0Pg7Ra2Ue')),
  ofCode('code-syntax', 'code with an extra bracket', (code) => `${code}\n)`),
  ofCode('code-without-return', 'code without a return', () => 'const a = $input.all();'),
  ofCode('code-result', 'code that returns a string', () => "return 'done';"),
  ofCode('hard-coded-secret', 'a key in code', (code) => `const apiKey = "q7Zk2Vd9Lr4Tx8Wm3Yb6Nc1Hf5Js0Pg7";\n${code}`),
  ofCredentials(
    'missing-credential',
    'no credential',
    ({ credentials: _, ...node }) => node,
    () => '',
  ),
  ofCredentials(
    'wrong-credential-type',
    "another service's credential",
    (node) => ({ ...node, credentials: { acmeNobodyApi: { id: '1', name: 'A' } } }),
    () => '/credentials/acmeNobodyApi',
  ),
  ofCredentials(
    'credential-without-id',
    'a credential without its id',
    (node, type) => ({ ...node, credentials: { [type]: { name: 'A' } } }),
    (type) => `/credentials/${type}`,
  ),
];

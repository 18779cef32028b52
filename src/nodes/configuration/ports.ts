import { configured } from './configuration.ts';
import type { NodeDescription, Port, Ports } from '../description.ts';
import { isExpression, isRecord } from './display.ts';
import { createSandbox } from './sandbox.ts';

type Values = Readonly<Record<string, unknown>>;

const MOST_PORTS = 1000;
const MOST_RESULTS = 2000;
/** Numbers are capped at this, far above the port limit, so that an expression does not count to a billion. */
const HIGHEST = 100 * MOST_PORTS;

/** The inputs of a node in this configuration; undefined if they cannot be determined. */
export function inputsOf(node: NodeDescription, parameters: Values, version: number): readonly Port[] | undefined {
  return portsFor(node, node.inputs, parameters, version);
}

/** The outputs, without the error output: see `withErrorOutput`. */
export function outputsOf(node: NodeDescription, parameters: Values, version: number): readonly Port[] | undefined {
  return portsFor(node, node.outputs, parameters, version);
}

/** With `onError: continueErrorOutput` a node has an error output after the others. */
export function withErrorOutput(outputs: readonly Port[]): readonly Port[] {
  return [...outputs, { type: 'main', displayName: 'Error', category: 'error' }];
}

function portsFor(node: NodeDescription, ports: Ports, parameters: Values, version: number) {
  if (typeof ports !== 'string') return listed(ports);
  const expression = /^=\s*\{\{([\s\S]*)\}\}\s*$/.exec(ports)?.[1]?.trim();
  if (expression === undefined) return undefined;
  const text = textOf(configured(node, parameters, version).parameters(), version);
  return text === undefined ? undefined : evaluated(expression, text);
}

const plain = new WeakMap<object, readonly Port[] | undefined>();

function listed(ports: Exclude<Ports, string>): readonly Port[] | undefined {
  if (!plain.has(ports)) plain.set(ports, portList(ports));
  return plain.get(ports);
}

/** The sandbox's input as JSON; undefined if it cannot be serialized. */
function textOf(parameters: Values, version: number): string | undefined {
  try {
    const open = Object.keys(parameters).filter((name) => isExpression(parameters[name]));
    // Cap numeric strings only at the top level, where they may be counts. Deeper ones are names.
    const own = Object.entries(parameters).map(([name, value]) => [name, lowered(value)] as const);
    return JSON.stringify({ parameters: Object.fromEntries(own), version, open }, (_, value: unknown) =>
      typeof value === 'number' ? lowered(value) : value,
    );
  } catch {
    return undefined;
  }
}

const lowered = (value: unknown): unknown =>
  (typeof value === 'number' || typeof value === 'string') && Number(value) > HIGHEST ? HIGHEST : value;

let sandbox: ReturnType<typeof createSandbox> | undefined;
const results = new Map<string, readonly Port[] | undefined>();

/** Evaluates with a cache: workflows repeat the same few configurations. */
function evaluated(expression: string, text: string): readonly Port[] | undefined {
  const key = `${expression}\n${text}`;
  if (results.has(key)) return results.get(key);
  sandbox ??= createSandbox();
  const ports = portList(sandbox(`(($parameter, $nodeVersion) => (${expression}\n))(...(${scope})(input))`, text));
  if (results.size >= MOST_RESULTS || key.length > 100_000) results.clear();
  results.set(key, ports);
  return ports;
}

/** What the expression sees. Reading a parameter that is itself an expression throws: its value is unknown until runtime. */
const scope = `({ parameters, version, open }) => {
  for (const name of open) Object.defineProperty(parameters, name, { get() { throw undefined; } });
  return [parameters, version];
}`;

/** Checks the result, which may be anything. */
function portList(value: unknown): readonly Port[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_PORTS) return undefined;
  const ports: Port[] = [];
  for (const one of value as unknown[]) {
    const port = typeof one === 'string' ? { type: one } : one;
    if (!isRecord(port) || typeof port.type !== 'string') return undefined;
    ports.push(port as unknown as Port);
  }
  return ports;
}

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readWorkflow } from '../../validation/subject/read-workflow.ts';
import { formWith, isNone } from '../backups/quiet-form.ts';
import { connectionsShape, type Node, nodeShape, type Workflow } from '../client/shapes.ts';
import { locators } from '../find/located.ts';
import { stableJson } from '../generate/stable-json.ts';
import { nodeKeys } from '../workflows/node-input.ts';
import { writableSettings } from '../workflows/settings.ts';

/** What a file has of a workflow. Pinned data only if the folder keeps it. */
export type Form = Pick<Workflow, 'name' | 'nodes' | 'connections'> & {
  readonly settings: Record<string, unknown>;
  readonly description?: string;
  readonly tags?: readonly { readonly name: string }[];
  readonly nodeGroups?: unknown[];
  readonly pinData?: Record<string, unknown>;
};

type Given = Omit<Form, 'settings' | 'description' | 'tags' | 'nodeGroups' | 'pinData'> & {
  readonly settings?: Record<string, unknown> | null | undefined;
  readonly tags?: readonly { readonly name: string }[] | null | undefined;
};

const KEYS = ['name', 'description', 'tags', 'settings', 'nodes', 'connections', 'nodeGroups'];

const nodeKeySet: ReadonlySet<string> = new Set(nodeKeys);
/** A node without these is not one. */
const NEEDED: ReadonlySet<string> = new Set(['name', 'type', 'parameters', 'position']);

/** What people change in a workflow, with keys in a fixed order. Everything else belongs to one n8n, or changes by itself. */
export function formOf(workflow: Given, pinned: boolean): Form {
  const cleaned = { ...workflow, settings: settingsOf(workflow.settings), nodes: workflow.nodes.map(nodeOf) };
  return formWith(pinned ? [...KEYS, 'pinData'] : KEYS, cleaned) as unknown as Form;
}

/** n8n's editor writes `DEFAULT` for a setting that is not set. */
const settingsOf = (settings: Given['settings']) =>
  Object.fromEntries(
    Object.entries(writableSettings(settings)).filter(([, value]) => !isNone(value) && value !== 'DEFAULT'),
  );

const nodeOf = (node: Node): Node =>
  Object.fromEntries(
    Object.entries(node).filter(([key, value]) => nodeKeySet.has(key) && (NEEDED.has(key) || !isNone(value))),
  ) as Node;

/** The form without the ids of credentials: another n8n has other ids. */
export function withoutIds(form: Form): Form {
  return {
    ...form,
    nodes: form.nodes.map((node) => {
      if (!node.credentials) return node;
      const named = Object.entries(node.credentials).map(([type, { id: _, ...held }]) => [type, held] as const);
      return { ...node, credentials: Object.fromEntries(named) };
    }),
  };
}

export const textOf = (form: Form): string => `${JSON.stringify(formWith([...KEYS, 'pinData'], form), null, 2)}\n`;

export const hashOf = (form: Form): string => createHash('sha256').update(stableJson(form)).digest('hex').slice(0, 32);

/** A hash that changes only with the workflow itself, not when a credential or a workflow that it calls is renamed. */
export const hashInN8n = (workflow: Workflow, pinned: boolean): string => {
  const form = formOf(workflow, pinned);
  return hashOf({ ...form, nodes: form.nodes.map(withoutNames) });
};

function withoutNames(node: Node): Node {
  const parameters = new Map(Object.entries(node.parameters));
  for (const { types, parameter } of locators) {
    const given = parameters.get(parameter);
    if (!types.test(node.type) || typeof given !== 'object' || given === null) continue;
    const { cachedResultName: _, cachedResultUrl: __, ...locator } = given as Record<string, unknown>;
    parameters.set(parameter, locator);
  }
  const credentials = Object.entries(node.credentials ?? {}).map(
    ([type, { id, name }]) => [type, { name: id ? '' : name, id: id ?? null }] as const,
  );
  return {
    ...node,
    parameters: Object.fromEntries(parameters),
    ...(node.credentials && { credentials: Object.fromEntries(credentials) }),
  };
}

const fileShape = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  tags: z
    .array(z.preprocess((tag) => (typeof tag === 'string' ? { name: tag } : tag), z.object({ name: z.string() })))
    .nullish(),
  settings: z.record(z.string(), z.unknown()).nullish(),
  nodes: z.array(nodeShape),
  connections: connectionsShape.default({}),
  nodeGroups: z.array(z.unknown()).nullish(),
  pinData: z.record(z.string(), z.unknown()).nullish(),
});

export type Read = { readonly form: Form } | { readonly problem: string } | 'no workflow';

/** The workflow in a file: what `textOf` writes, or an export of n8n. */
export function readForm(text: string, pinned: boolean): Read {
  const { workflow, problems, ...rest } = readWorkflow(text);
  if (!workflow) {
    const broken = 'unparsed' in rest || problems.length === 0;
    return broken ? { problem: problems[0]?.message ?? 'It cannot be read.' } : 'no workflow';
  }
  if (!Object.hasOwn(workflow, 'nodes')) return 'no workflow';
  const parsed = fileShape.safeParse(workflow);
  if (parsed.success) return { form: withoutIds(formOf(parsed.data, pinned)) };
  const [issue] = parsed.error.issues;
  return { problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not as in a workflow'}` };
}

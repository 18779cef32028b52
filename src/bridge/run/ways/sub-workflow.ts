import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../kernel/source.ts';
import type { Node } from '../../../n8n/client/shapes.ts';
import type { Runner } from '../../../n8n/running/runner/align-runner.ts';
import { appendFile, filesSchema } from '../files.ts';
import { inferSchema } from '../infer.ts';
import { propertyKeys } from './property-keys.ts';
import { objectSchema, type Unfit, type Way } from './way.ts';

interface Input {
  readonly name: string;
  readonly schema: Json;
  readonly required: boolean;
}

/** A workflow that begins with "When Executed by Another Workflow". */
export function subWorkflowWay(
  workflow: { readonly id: string },
  { node, pinned }: { readonly node: Node; readonly pinned?: unknown },
  runner: () => Runner,
): Way | Unfit {
  const inputs = inputsOf(node);
  if ('reason' in inputs) return inputs;
  const open = inputs.kind === 'anything';
  const known = open ? exampleInputs(pinned) : inputs.inputs;
  const keys = propertyKeys(known.map(({ name }) => name));
  const titled = known.map(({ name, schema }, index) => [
    keys[index],
    name === keys[index] ? schema : { title: name, ...schema },
  ]);
  const properties = { ...Object.fromEntries(titled), ...(open && !keys.includes('files') && { files: filesSchema }) };
  const required = keys.filter((_, index) => known[index]?.required);
  return {
    schema: objectSchema(properties, required, open),
    answering: 'runner',
    request(args) {
      const { path, headers } = runner();
      const names = new Map(keys.map((key, index) => [key, (known[index] as Input).name]));
      const files = open && isDeepStrictEqual(properties.files, filesSchema) ? args.files : undefined;
      const given = Object.entries(args).filter(([key]) => key !== 'files' || files === undefined);
      const values = Object.fromEntries(given.map(([key, value]) => [names.get(key) ?? key, value]));
      const target = { method: 'POST', path: `/webhook/${path}`, headers };
      if (!Array.isArray(files)) return { ...target, body: { workflowId: workflow.id, inputs: values } };
      const form = new FormData();
      form.set('workflowId', workflow.id);
      form.set('inputs', JSON.stringify(values));
      for (const [index, file] of files.entries()) appendFile(form, `file_${index}`, file);
      return { ...target, body: form };
    },
  };
}

type Inputs = { kind: 'anything' } | { kind: 'declared'; inputs: Input[] };

function inputsOf({ typeVersion = 1, parameters }: Node): Inputs | Unfit {
  // The first version knew no inputs.
  const source = parameters.inputSource ?? (typeVersion < 1.1 ? 'passthrough' : 'workflowInputs');
  if (source === 'passthrough') return { kind: 'anything' };
  if (source === 'jsonExample') return exampleOf(parameters.jsonExample);
  const { values } = (parameters.workflowInputs ?? {}) as { values?: unknown };
  const declared = (Array.isArray(values) ? values : []) as { name?: unknown; type?: unknown }[];
  const inputs = declared.flatMap(({ name, type }): Input[] =>
    // n8n gives null for what is left out, which few workflows expect; only "any" says that anything will do.
    typeof name === 'string' && name !== '' ? [{ name, schema: schemaOf(type), required: type !== 'any' }] : [],
  );
  return { kind: 'declared', inputs };
}

const types: ReadonlySet<unknown> = new Set(['string', 'number', 'boolean', 'array', 'object']);

function schemaOf(type: unknown): Json {
  if (type === 'any') return {};
  return { type: types.has(type) ? type : 'string' };
}

function exampleOf(text: unknown): Inputs | Unfit {
  let example: unknown;
  try {
    example = typeof text === 'string' ? JSON.parse(text) : text;
  } catch {
    return { reason: 'The JSON example of its trigger cannot be read. Mend it in n8n, or define its fields.' };
  }
  if (typeof example !== 'object' || example === null || Array.isArray(example)) {
    return { reason: 'The JSON example of its trigger is not an object. Make it one in n8n, or define its fields.' };
  }
  const inputs = Object.entries(example).map(([name, value]) => ({
    name,
    schema: inferSchema(value),
    required: value !== null,
  }));
  return { kind: 'declared', inputs };
}

/** What was pinned at a trigger that takes anything shows what it was made for. */
function exampleInputs(pinned: unknown): Input[] {
  const [item] = (Array.isArray(pinned) ? pinned : []) as unknown[];
  const json = (item as { json?: unknown } | undefined)?.json ?? item;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  return Object.entries(json).map(([name, value]) => ({ name, schema: inferSchema(value), required: false }));
}

import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/source.ts';
import type { Node } from '../../client/shapes.ts';
import { itemsOf } from '../../items.ts';
import { appendFile, filesSchema } from '../arguments/files.ts';
import { inferSchema } from '../arguments/infer.ts';
import { objectSchema } from '../arguments/object-schema.ts';
import { propertyKeys } from '../arguments/property-keys.ts';
import type { Runner } from '../runner/align-runner.ts';
import type { Target, ToolCall, Unfit, Way } from '../way.ts';

/** The trigger "When Executed by Another Workflow". */
export const subWorkflow: Way = {
  kind: 'sub-workflow',
  types: ['n8n-nodes-base.executeWorkflowTrigger'],
  outside: {
    needsRunner: true,
    request: (_, data, { workflow, runner }) => ({
      ...requestTo(runner()),
      body: { workflowId: workflow.id, inputs: oneItem(workflow.name, data) },
    }),
    tool({ node, example }, target) {
      const inputs = inputsOf(node);
      return 'reason' in inputs ? inputs : toolCall(inputs, example, target);
    },
  },
};

const requestTo = ({ path, headers }: Runner) => ({ method: 'POST', path: `/webhook/${path}`, headers });

/** The runner hands over one item. */
function oneItem(name: string, data: unknown = {}): unknown {
  const [first, ...more] = itemsOf(data);
  if (first && more.length === 0) return first.json;
  throw new AppError(
    'invalid_input',
    `"${name}" is called with one item at a time: data is an object of its inputs. With a login to n8n, way "draft" takes a list.`,
  );
}

interface Input {
  readonly name: string;
  readonly schema: Json;
  readonly required: boolean;
}

type Inputs = { kind: 'anything' } | { kind: 'declared'; inputs: Input[] };

function toolCall(inputs: Inputs, example: unknown, { workflow, runner }: Target): ToolCall {
  const open = inputs.kind === 'anything';
  const known = open ? exampleInputs(example) : inputs.inputs;
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
      const target = requestTo(runner());
      const names = new Map(keys.map((key, index) => [key, (known[index] as Input).name]));
      const files = open && isDeepStrictEqual(properties.files, filesSchema) ? args.files : undefined;
      const given = Object.entries(args).filter(([key]) => key !== 'files' || files === undefined);
      const values = Object.fromEntries(given.map(([key, value]) => [names.get(key) ?? key, value]));
      if (!Array.isArray(files)) return { ...target, body: { workflowId: workflow.id, inputs: values } };
      const form = new FormData();
      form.set('workflowId', workflow.id);
      form.set('inputs', JSON.stringify(values));
      for (const [index, file] of files.entries()) appendFile(form, `file_${index}`, file);
      return { ...target, body: form };
    },
  };
}

function inputsOf({ typeVersion = 1, parameters }: Node): Inputs | Unfit {
  // Version 1 had no declared inputs.
  const source = parameters.inputSource ?? (typeVersion < 1.1 ? 'passthrough' : 'workflowInputs');
  if (source === 'passthrough') return { kind: 'anything' };
  if (source === 'jsonExample') return exampleOf(parameters.jsonExample);
  const { values } = (parameters.workflowInputs ?? {}) as { values?: unknown };
  const declared = (Array.isArray(values) ? values : []) as { name?: unknown; type?: unknown }[];
  const inputs = declared.flatMap(({ name, type }): Input[] =>
    // n8n passes null for a missing input, which few workflows expect; only the type "any" says that null is fine.
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
    return { reason: 'The JSON example of its trigger cannot be read. Fix it in n8n, or define its fields.' };
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

/** For a trigger that accepts anything, the pinned data show what it expects. */
function exampleInputs(example: unknown): Input[] {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return [];
  return Object.entries(example).map(([name, value]) => ({ name, schema: inferSchema(value), required: false }));
}

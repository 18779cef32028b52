import { z } from 'zod';
import { knownKeys } from '../../kernel/input-words.ts';
import { nearestNames, shown } from '../../kernel/nearest-names.ts';
import { exportedKeys } from '../../validation/structure/exported-keys.ts';
import { readWorkflow } from '../../validation/subject/read-workflow.ts';
import { isRecord, own, type Rec } from '../../validation/json/record.ts';
import { cleanNode, cleanSettings, isEmpty, type Refuse } from './pasted-parts.ts';

const MOST_NAMED = 25;

/** The parts of a pasted workflow for which the tool has no argument. */
export class Pasted {
  readonly id?: string;
  readonly versionId?: string;
  readonly active: boolean;
  readonly pinData?: Record<string, unknown>;
  readonly nodeGroups?: unknown[];
  /** Tag names. A tag that does not exist here is no reason to refuse the workflow. */
  readonly tags: readonly string[];
  /** Keys that were dropped because n8n sets or refuses them. */
  readonly dropped: readonly string[];

  constructor(workflow: Rec, dropped: readonly string[]) {
    const [id, versionId, pinData, nodeGroups, tags] = [
      own(workflow, 'id'),
      own(workflow, 'versionId'),
      own(workflow, 'pinData'),
      own(workflow, 'nodeGroups'),
      own(workflow, 'tags'),
    ];
    if (typeof id === 'string' || typeof id === 'number') this.id = String(id);
    if (typeof versionId === 'string') this.versionId = versionId;
    this.active = own(workflow, 'active') === true;
    if (isRecord(pinData)) this.pinData = { ...pinData };
    if (Array.isArray(nodeGroups)) this.nodeGroups = nodeGroups;
    this.tags = Array.isArray(tags) ? tags.flatMap(tagName) : [];
    this.dropped = dropped;
  }

  /** A line that says what was dropped; empty if nothing was. */
  lines(): string[] {
    const { length } = this.dropped;
    if (length === 0) return [];
    const more = length > MOST_NAMED ? ` and ${length - MOST_NAMED} more` : '';
    const names = this.dropped.slice(0, MOST_NAMED).join(', ');
    return [`Dropped from the pasted workflow, because n8n sets or refuses it: ${names}${more}.`];
  }
}

const tagName = (tag: unknown): string[] => {
  const name = isRecord(tag) ? own(tag, 'name') : tag;
  return typeof name === 'string' && name !== '' ? [name] : [];
};

/** The argument for a whole workflow. */
export const pastedInput = z
  .unknown()
  .optional()
  .meta({ anyOf: [{ type: 'object' }, { type: 'string' }] })
  .describe('A whole workflow as n8n exports it, object or JSON text, instead of the parts below')
  .transform((given) => (given instanceof Pasted ? given : undefined));

/** Parts of a workflow that have their own argument. */
const parts: ReadonlySet<string> = new Set(['name', 'description', 'nodes', 'connections', 'settings']);
/** Parts that `Pasted` carries. */
const carried: ReadonlySet<string> = new Set(['pinData', 'nodeGroups', 'tags']);
/** Any of these keys shows that a workflow was exported, not written by hand. */
const marks: ReadonlySet<string> = new Set([...exportedKeys, 'pinData', 'staticData', 'shared', 'nodeGroups']);

/**
 * Lets the arguments of a tool be a workflow as n8n exports it: directly, under "workflow", or as JSON text. Parts without
 * their own argument end up in `workflow`, as `Pasted`. Misspelt keys are still refused.
 */
export function pasteable<S extends z.ZodObject>(schema: S) {
  const ours: ReadonlySet<string> = new Set(Object.keys(schema.shape));
  return z.preprocess((given, context) => {
    if (!isRecord(given)) return given;
    const refuse = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message, input: given });
    const wrapper = wrapperIn(given, ours);
    if (wrapper === undefined) return flat(unpacked(given), ours, refuse);
    const reading = readWorkflow(own(given, wrapper));
    if (!reading.workflow) {
      for (const { path, message } of reading.problems.slice(0, 3)) refuse([wrapper, path].filter(Boolean), message);
      return z.NEVER;
    }
    return wrapped(unpacked(given), wrapper, unpacked(reading.workflow), ours, refuse);
  }, schema);
}

/** The key that holds a whole workflow: "workflow", or the only other key that has one. */
function wrapperIn(given: Rec, ours: ReadonlySet<string>): string | undefined {
  const whole = own(given, 'workflow');
  if (whole !== undefined && whole !== null && whole !== '') return 'workflow';
  if (Object.hasOwn(given, 'nodes')) return undefined;
  const others = Object.keys(given).filter((key) => !ours.has(key) && !marks.has(key) && holdsWorkflow(given[key]));
  return others.length === 1 ? others[0] : undefined;
}

function holdsWorkflow(value: unknown): boolean {
  if (typeof value === 'string' ? !/^\s*(?:[{[]|```)/.test(value) : !isRecord(value) && !Array.isArray(value))
    return false;
  const { workflow } = readWorkflow(value);
  return workflow !== undefined && Array.isArray(own(workflow, 'nodes'));
}

function flat(given: Rec, ours: ReadonlySet<string>, refuse: Refuse): unknown {
  const exported = Object.keys(given).some((key) => marks.has(key) && !ours.has(key));
  const hasObjectTags = Array.isArray(own(given, 'tags')) && (given['tags'] as unknown[]).some(isRecord);
  const { workflow, dropped } = cleaned(given, { ours, isPasted: exported || hasObjectTags, at: [] }, refuse);
  if (!exported && !hasObjectTags && dropped.length === 0) return workflow;
  const { tags, ...rest } = workflow;
  const keepsTags = tags !== undefined && !hasObjectTags && ours.has('tags');
  const pasted = new Pasted({ ...given, ...(keepsTags && { tags: [] }), id: undefined }, dropped);
  return { ...rest, ...(keepsTags && { tags }), workflow: pasted };
}

function wrapped(given: Rec, wrapper: string, inner: Rec, ours: ReadonlySet<string>, refuse: Refuse): unknown {
  const twice = [...parts].filter((key) => key !== 'name' && key !== 'description' && key !== 'settings');
  for (const key of twice) {
    if (Object.hasOwn(given, key))
      refuse([key], `cannot be next to "${wrapper}", which has its own. Pass only one of them`);
  }
  const { workflow, dropped } = cleaned(inner, { ours, isPasted: true, at: [wrapper] }, refuse);
  const beside = Object.fromEntries(Object.entries(given).filter(([key]) => key !== wrapper));
  for (const key of Object.keys(beside)) if (!ours.has(key)) refuse([key], unknownKey(key, ours));
  const taken = Object.fromEntries(Object.entries(workflow).filter(([key]) => parts.has(key)));
  return { ...taken, ...beside, workflow: new Pasted(inner, dropped) };
}

interface Place {
  readonly ours: ReadonlySet<string>;
  readonly isPasted: boolean;
  readonly at: readonly string[];
}

/** The workflow without the keys that n8n would refuse, and the names of those keys. */
function cleaned(given: Rec, place: Place, refuse: Refuse): { workflow: Rec; dropped: string[] } {
  const { ours, isPasted, at } = place;
  const isWhole = at.length > 0;
  const dropped = new Set<string>();
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(given)) {
    const isOurs = isWhole ? parts.has(key) || carried.has(key) : ours.has(key);
    if (isOurs) {
      // n8n exports null for no value.
      if (value !== null) kept.push([key, value]);
      if (isWhole && carried.has(key) && !isEmpty(value) && !isCarried(key, value)) dropped.add(key);
    } else if (carried.has(key) || (key === 'id' && ours.has(key))) continue;
    else if (marks.has(key)) {
      if (!isEmpty(value)) dropped.add(key);
    } else if (isWhole && ours.has(key)) refuse([...at, key], `put "${key}" next to "${at[0]}", not into it`);
    else {
      const isMisspelt = !isWhole || nearestNames(key, [...parts, ...carried], 1).length > 0;
      if (isMisspelt) refuse([...at, key], unknownKey(key, isWhole ? [...parts, ...carried] : ours));
      else dropped.add(shown(key, 40));
    }
  }
  const workflow = Object.fromEntries(kept);
  const nodes = own(workflow, 'nodes');
  const settings = own(workflow, 'settings');
  const drop = (key: string) => void dropped.add(key);
  return {
    workflow: {
      ...workflow,
      ...(Array.isArray(nodes) && {
        nodes: nodes.map((node, index) =>
          isRecord(node) ? cleanNode(node, isPasted, drop, [...at, 'nodes', index], refuse) : (node as unknown),
        ),
      }),
      ...(isPasted && isRecord(settings) && { settings: cleanSettings(settings, drop) }),
    },
    dropped: [...dropped],
  };
}

const unknownKey = (key: string, known: Iterable<string>): string => `unknown. ${knownKeys([key], [...known])}`;

/** Whether `Pasted` can carry this value completely. */
function isCarried(key: string, value: unknown): boolean {
  if (key === 'pinData') return isRecord(value);
  return Array.isArray(value) && (key !== 'tags' || value.every((tag) => tagName(tag).length > 0));
}

/** Parts that are objects or arrays. */
const structured: ReadonlySet<string> = new Set(['nodes', 'connections', 'settings', 'pin_data', ...carried]);

/** Parses the parts that came as JSON text. */
function unpacked(given: Rec): Rec {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const part = structured.has(key) ? parsed(value) : value;
      return [key, key === 'nodes' && Array.isArray(part) ? part.map(parsed) : part];
    }),
  );
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

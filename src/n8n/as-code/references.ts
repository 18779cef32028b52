import type { Node, Workflow } from '../client/shapes.ts';
import { isExpression, locators } from '../find/located.ts';
import type { Pointing } from '../mapping/places.ts';
import { rewritten, type Target } from '../mapping/rewritten.ts';
import { type Form, formOf, withoutIds } from './form.ts';

/**
 * How files name other things: credentials by their name, a workflow in the folder as `./invoices.json`, another one as
 * `name:Invoices`, a data table in n8n's own mode for names.
 */

const NAMED = 'name:';
const IN_FOLDER = './';

/** A list of callers is separated by commas, so a name has none. */
const encoded = (name: string) => name.replaceAll('%', '%25').replaceAll(',', '%2C');
const decoded = (name: string) => name.replaceAll('%2C', ',').replaceAll('%25', '%');

export const refOfFile = (file: string): string => `${IN_FOLDER}${file}`;
export const refOfName = (name: string): string => `${NAMED}${encoded(name)}`;

export type Ref = { readonly file: string } | { readonly name: string } | { readonly id: string };

export function refIn(value: string): Ref {
  if (value.startsWith(IN_FOLDER)) return { file: value.slice(IN_FOLDER.length) };
  return value.startsWith(NAMED) ? { name: decoded(value.slice(NAMED.length)) } : { id: value };
}

/** What this n8n has under an id. */
export interface Known {
  /** The file of a workflow in the folder. */
  fileOf(id: string): string | undefined;
  workflowName(id: string): string | undefined;
  credentialName(id: string): string | undefined;
}

/** A workflow of n8n as its file has it. */
export function asFile(workflow: Workflow, known: Known, pinned: boolean): Form {
  const target = (place: Pointing): Target => {
    const { id, kind } = place;
    if (id === undefined || kind === 'data table') return undefined;
    if (kind === 'credential') return { id, name: known.credentialName(id) ?? place.name };
    const name = known.workflowName(id);
    const file = known.fileOf(id);
    if (file !== undefined) return { id: refOfFile(file), name: name ?? place.name ?? file };
    return name === undefined ? undefined : { id: refOfName(name), name };
  };
  const form = withoutIds(formOf(rewritten(workflow, target), pinned));
  return { ...form, nodes: form.nodes.map((node) => withTables(node, byName)) };
}

/** The nodes with other data tables. */
function withTables(node: Node, change: (locator: Record<string, unknown>) => Record<string, unknown>): Node {
  const parameters = new Map(Object.entries(node.parameters));
  for (const { types, parameter, kind } of locators) {
    const given = parameters.get(parameter);
    if (kind !== 'data table' || !types.test(node.type) || typeof given !== 'object' || given === null) continue;
    parameters.set(parameter, change(given as Record<string, unknown>));
  }
  return { ...node, parameters: Object.fromEntries(parameters) };
}

function byName(locator: Record<string, unknown>): Record<string, unknown> {
  const name = tableName(locator);
  return name === undefined || locator.mode === 'name' ? locator : { __rl: true, mode: 'name', value: name };
}

function tableName({ mode, value, cachedResultName }: Record<string, unknown>): string | undefined {
  if (typeof value !== 'string' || value === '' || isExpression(value)) return undefined;
  const name = mode === 'name' ? value : cachedResultName;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The content of a file, with every reference pointed at what the n8n has. `now` is the workflow that it replaces. */
export function inN8n(form: Form, now: Workflow | undefined, target: (place: Pointing) => Target): Form {
  const pointed = rewritten(form as Form & { tags: undefined }, target) as Form;
  return {
    ...pointed,
    nodes: pointed.nodes.map((node) =>
      withTables(node, (locator) => {
        // n8n's editor picked this table by id.
        const held = tableIn(sameNode(now?.nodes ?? [], node));
        return held && tableName(held) === tableName(locator) ? held : locator;
      }),
    ),
  };
}

function tableIn(node: Node | undefined): Record<string, unknown> | undefined {
  let found: Record<string, unknown> | undefined;
  if (node)
    withTables(node, (locator) => {
      found = locator;
      return locator;
    });
  return found;
}

/** The node in another state of the workflow: of the same id, or else of the same name, and of the same type. */
export function sameNode(nodes: readonly Node[], node: Node | undefined): Node | undefined {
  if (!node) return undefined;
  const { id, name, type } = node;
  const found =
    (id === undefined ? undefined : nodes.find((one) => one.id === id)) ?? nodes.find((one) => one.name === name);
  return found?.type === type ? found : undefined;
}

/** Points references to a renamed file at its new name. */
export function withRenamed(form: Form, renamed: ReadonlyMap<string, string>): Form {
  if (renamed.size === 0) return form;
  return inN8n(form, undefined, (place) => {
    if (place.kind === 'credential' || place.id === undefined) return undefined;
    const ref = refIn(place.id);
    const to = 'file' in ref ? renamed.get(ref.file) : undefined;
    return to === undefined ? undefined : { id: refOfFile(to), name: place.name ?? '' };
  });
}

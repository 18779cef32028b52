import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Workflow } from '../client/shapes.ts';
import type { WorkflowSummary } from '../workflows/summary.ts';
import { compared, type State } from './compare.ts';
import { fileKey, freeFile, isNamedFor } from './file-names.ts';
import type { Held } from './folder.ts';
import { type Form, hashInN8n, hashOf } from './form.ts';
import { asFile, type Known } from './references.ts';
import { type Entry, SIDE_FOLDER, type Side } from './side-file.ts';

/** A file and the workflow that it belongs to. One of them may be missing. */
export interface Match {
  readonly file?: string;
  readonly held?: Held;
  readonly summary?: WorkflowSummary;
  /** What they were when they were last in step. */
  readonly entry?: Entry;
}

export interface Matches {
  readonly matches: readonly Match[];
  /** By file, or by id of a workflow without a file: why it cannot be matched. */
  readonly ambiguous: ReadonlyMap<string, string>;
}

export interface Both {
  readonly instance: string;
  readonly files: ReadonlyMap<string, Held>;
  readonly workflows: ReadonlyMap<string, WorkflowSummary>;
  readonly side: Side;
  /** By id of a workflow: the ids of its nodes, if its file is gone. */
  readonly nodes?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Finds what belongs together: by the side file, by what is in a file that was moved, or by a name that is unique. */
export function matched({ instance, files, workflows, side, nodes }: Both): Matches {
  const entries = moved(withoutRemains(side.workflows, files), files, workflows, nodes);
  const ambiguous = new Map<string, string>();
  const where = `"workflows" of ${SIDE_FOLDER}/${instance}.json`;
  for (const [id, twins] of Map.groupBy(entries.keys(), (file) => (entries.get(file) as Entry).id)) {
    if (twins.length < 2) continue;
    const why = `${twins.join(' and ')} are the same workflow ${shown(id)} in ${where}. Remove the line of the file that is not it: a push creates a workflow for that one.`;
    for (const file of twins) ambiguous.set(file, why);
  }
  const linked = [...entries].map(([file, entry]): Match => {
    const held = files.get(file);
    const summary = workflows.get(entry.id);
    return { file, entry, ...(held && { held }), ...(summary && { summary }) };
  });
  const taken = new Set([...entries.values()].map(({ id }) => id));
  const freeFiles = [...files].filter(([file]) => !entries.has(file));
  const freeWorkflows = [...workflows.values()].filter(({ id }) => !taken.has(id));
  const filesNamed = Map.groupBy(freeFiles, ([, held]) => ('form' in held ? held.form.name : ''));
  const workflowsNamed = Map.groupBy(freeWorkflows, ({ name }) => name);
  const found = new Set<string>();
  const unlinked = freeFiles.map(([file, held]): Match => {
    const name = 'form' in held ? held.form.name : '';
    const namesakes = name === '' ? [] : (workflowsNamed.get(name) ?? []);
    const [only] = namesakes;
    if (!only) return { file, held };
    if (namesakes.length === 1 && filesNamed.get(name)?.length === 1) {
      found.add(only.id);
      return { file, held, summary: only };
    }
    const ids = namesakes.map(({ id }) => id).join(', ');
    const why = `n8n (${instance}) has "${shown(name)}" as ${ids}, and nothing says which of them ${file} is. Write it into ${where}: "${file}": { "id": "${only.id}" }.`;
    for (const one of [file, ...namesakes.map(({ id }) => id)]) ambiguous.set(one, why);
    return { file, held };
  });
  const alone = freeWorkflows
    .filter(({ id }) => !found.has(id))
    .sort((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1))
    .map((summary): Match => ({ summary }));
  return { matches: [...linked, ...unlinked, ...alone], ambiguous };
}

type Entries = ReadonlyMap<string, Entry>;

/** After a merge in git, a workflow may still have the entry of a file that was renamed on the other branch. */
function withoutRemains(entries: Entries, files: ReadonlyMap<string, Held>): Entries {
  const seen = new Set([...entries].flatMap(([file, { id }]) => (files.has(file) ? [id] : [])));
  return new Map([...entries].filter(([file, { id }]) => files.has(file) || (!seen.has(id) && seen.add(id))));
}

/**
 * A file that is gone was moved if another one has its content, or is the only one with the name of its workflow, or with
 * most of its nodes.
 */
function moved(
  entries: Entries,
  files: ReadonlyMap<string, Held>,
  workflows: Both['workflows'],
  nodes: Both['nodes'] = new Map(),
): Entries {
  const gone = [...entries].filter(([file]) => !files.has(file));
  if (gone.length === 0) return entries;
  const fresh = freshIn(entries, files);
  const to = new Map<string, string>();
  const move = (from: string, file: string) => {
    to.set(from, file);
    fresh.delete(file);
  };
  const hashed = Map.groupBy(fresh.keys(), (file) => fresh.get(file)?.hash);
  for (const [from, entry] of gone) {
    const file = hashed.get(entry.file)?.shift();
    if (entry.file !== undefined && file !== undefined) move(from, file);
  }
  const freshNamed = Map.groupBy(fresh.keys(), (file) => fresh.get(file)?.form.name);
  const ids = new Map([...fresh].map(([file, { form }]) => [file, nodeIds(form.nodes)]));
  const alike: readonly ((id: string) => readonly string[])[] = [
    (id) => freshNamed.get(workflows.get(id)?.name) ?? [],
    (id) => [...ids].flatMap(([file, own]) => (fresh.has(file) && isMostly(own, nodes.get(id)) ? [file] : [])),
  ];
  for (const filesLike of alike) {
    const left = gone.filter(([from]) => !to.has(from)).map(([from, { id }]) => ({ from, found: filesLike(id) }));
    const claims = Map.groupBy(
      left.flatMap(({ found }) => found),
      (file) => file,
    );
    for (const { from, found } of left) {
      const [file, ...more] = found;
      if (file !== undefined && more.length === 0 && claims.get(file)?.length === 1) move(from, file);
    }
  }
  return new Map([...entries].map(([file, entry]) => [to.get(file) ?? file, entry]));
}

type Readable = Extract<Held, { form: Form }>;

const freshIn = (entries: Entries, files: ReadonlyMap<string, Held>): Map<string, Readable> =>
  new Map([...files].flatMap(([file, held]) => ('form' in held && !entries.has(file) ? [[file, held]] : [])));

/** Workflows whose files are gone while there are files that nothing is known of: one may have become the other. */
export function perhapsMoved({ files, workflows, side }: Omit<Both, 'nodes'>): string[] {
  if (freshIn(side.workflows, files).size === 0) return [];
  return [...side.workflows].flatMap(([file, { id }]) => (!files.has(file) && workflows.has(id) ? [id] : []));
}

/** Ids that n8n gives; people write `1`. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const nodeIds = (nodes: Form['nodes']): Set<string> =>
  new Set(nodes.flatMap(({ id }) => (id !== undefined && UUID.test(id) ? [id] : [])));

function isMostly(own: ReadonlySet<string>, others: ReadonlySet<string> = new Set()): boolean {
  const shared = own.intersection(others).size;
  return shared > 0 && 2 * shared >= Math.max(own.size, others.size);
}

/** If n8n has nothing of what the side file lists, this is another n8n, and its workflows were not deleted. */
export function assertSameN8n({ instance, workflows, side }: Both): void {
  const ids = [...side.workflows.values()].map(({ id }) => id);
  if (ids.length === 0 || ids.some((id) => workflows.has(id))) return;
  throw new AppError(
    'conflict',
    `n8n (${instance}) has none of the ${ids.length} workflows in ${SIDE_FOLDER}/${instance}.json. If it is another n8n than last time, name it with --instance, or delete that file to begin anew. If somebody deleted them all, repeat with --force.`,
  );
}

/** Which workflows somebody wants: all, those with a tag, or those of these names. */
export interface Scope {
  readonly tag?: string | undefined;
  /** Names of workflows or files. */
  readonly names: readonly string[];
}

export function within(matches: readonly Match[], { tag, names }: Scope): Match[] {
  const wanted = new Map(names.map((name) => [fileKey(name), name]));
  const seen = new Set<string>();
  const inScope = matches.filter((match) => {
    const form = match.held && 'form' in match.held ? match.held.form : undefined;
    const keys = namesOf(match).map(fileKey);
    for (const key of keys) seen.add(key);
    const tags = [...(match.summary?.tags ?? []), ...(form?.tags ?? []).map(({ name }) => name)];
    return (tag === undefined || tags.includes(tag)) && (wanted.size === 0 || keys.some((key) => wanted.has(key)));
  });
  const unknown = [...wanted].find(([key]) => !seen.has(key));
  if (unknown) {
    const near = nearestNames(unknown[1], matches.flatMap(namesOf), 3);
    const advice = didYouMean(inQuotes(near), 'Write the name of a workflow, or of a file in the folder.');
    throw new AppError('not_found', `There is no workflow and no file "${shown(unknown[1])}". ${advice}`);
  }
  return inScope;
}

function namesOf({ file, held, summary }: Match): string[] {
  return [
    ...(file === undefined ? [] : [file, file.replace(/\.json$/i, '')]),
    ...(held && 'form' in held ? [held.form.name] : []),
    ...(summary ? [summary.name] : []),
  ];
}

/** A match with everything that decides what happens to it. */
export interface Pair extends Match {
  /** The name that the file has, or will have. */
  readonly file: string;
  readonly workflow?: Workflow;
  /** The workflow of n8n as its file would have it. */
  readonly there?: Form;
  readonly state: State;
}

export interface Reading {
  readonly workflows: ReadonlyMap<string, Workflow>;
  readonly names: Omit<Known, 'fileOf'>;
  readonly pinned: boolean;
}

/** Files by id: those that exist, and new ones for workflows that have none. Follows a new name in n8n if `follow` agrees. */
export function filesById(
  all: readonly Match[],
  wanted: ReadonlySet<Match>,
  taken: ReadonlySet<string>,
  follow: (match: Match) => boolean,
): { readonly byId: ReadonlyMap<string, string>; readonly renamed: ReadonlyMap<string, string> } {
  const byId = new Map<string, string>();
  const renamed = new Map<string, string>();
  const used = new Set(taken);
  const give = (id: string, name: string) => {
    const file = freeFile(name, (key) => used.has(key));
    used.add(fileKey(file));
    byId.set(id, file);
    return file;
  };
  for (const { file } of all) if (file !== undefined) used.add(fileKey(file));
  for (const match of all) {
    const { file, held, summary, entry } = match;
    const id = summary?.id ?? entry?.id;
    if (file === undefined || id === undefined) continue;
    const name = held && 'form' in held ? held.form.name : undefined;
    const isNew = summary && name !== undefined && name !== summary.name && isNamedFor(file, name);
    if (isNew && wanted.has(match) && !isNamedFor(file, summary.name) && follow(match))
      renamed.set(file, give(id, summary.name));
    else byId.set(id, file);
  }
  for (const match of all) {
    if (match.file === undefined && match.summary && wanted.has(match)) give(match.summary.id, match.summary.name);
  }
  return { byId, renamed };
}

/** Compares each with n8n and with when they were last in step. */
export function paired(
  wanted: readonly Match[],
  byId: ReadonlyMap<string, string>,
  { workflows, names, pinned }: Reading,
): Pair[] {
  const known: Known = { ...names, fileOf: (id) => byId.get(id) };
  return wanted.map((match) => {
    const workflow = match.summary && workflows.get(match.summary.id);
    const there = workflow && asFile(workflow, known, pinned);
    const held = match.held && ('hash' in match.held ? match.held.hash : 'broken');
    const state = compared({
      base: match.entry,
      file: held,
      n8n: workflow && hashInN8n(workflow, pinned),
      same: there !== undefined && hashOf(there) === held,
    });
    const file = match.file ?? byId.get(match.summary?.id ?? '') ?? '';
    return { ...match, file, state, ...(workflow && { workflow }), ...(there && { there }) };
  });
}

import { type Both, nodesOfMoved, readWorkflows, sideOf } from './both.ts';
import { fileKey } from './file-names.ts';
import { hashInN8n, hashOf, textOf } from './form.ts';
import { changesBetween, formIn, type Item, itemOf, type Syncing } from './item.ts';
import { assertSameN8n, filesById, type Match, matched, paired, perhapsMoved, type Scope, within } from './pairs.ts';
import { conflictWords, pullAction } from './plan.ts';
import { afterRenames } from './rename.ts';
import { nodesWithSecrets } from './secrets.ts';
import { type Entry, type Side, sideText } from './side-file.ts';

export interface Pulling extends Syncing {
  readonly scope: Scope;
  readonly pinned: boolean;
  readonly dryRun: boolean;
}

export interface Pulled {
  readonly items: readonly Item[];
  /** By written file: nodes with a secret in their parameters. */
  readonly secrets: ReadonlyMap<string, readonly string[]>;
}

/** Brings what changed in n8n into the folder. Leaves a workflow alone that changed in both. */
export async function pull(both: Both, { scope, force, dryRun, progress, ...how }: Pulling): Promise<Pulled> {
  const { folder, remote } = both;
  const { instance, workflows } = remote;
  const before = sideOf(both, how.pinned);
  const pinned = before.pinnedData;
  const now = { instance, files: folder.files, workflows, side: before };
  if (!force) assertSameN8n(now);
  const nodes = await nodesOfMoved(both, perhapsMoved(now));
  const first = matched({ ...now, nodes }).matches;
  const chosen = within(first, scope);
  // A file follows the new name of its workflow, unless somebody is working on it.
  const follow = (match: Match) =>
    force || (match.held !== undefined && 'hash' in match.held && match.held.hash === match.entry?.file);
  const { renamed } = filesById(first, new Set(chosen), folder.taken, follow);
  const former = new Map([...renamed].map(([from, to]) => [to, from]));
  const moved = afterRenames({ files: folder.files, sides: new Map([...folder.sides, [instance, before]]) }, renamed);

  const { matches, ambiguous } = matched({
    instance,
    files: moved.files,
    workflows,
    side: moved.sides.get(instance) as Side,
  });
  const keys = new Set(chosen.map((match) => keyOf(match)));
  const wanted = matches.filter((match) => keys.has(keyOf(match, former)));
  const taken = new Set([...folder.taken, ...[...renamed.values()].map(fileKey)]);
  const { byId } = filesById(matches, new Set(wanted), taken, () => false);
  const read = await readWorkflows({ remote, pinned }, wanted, progress);

  const entries = new Map<string, Entry>();
  for (const { file, entry } of matches) if (file !== undefined && entry) entries.set(file, entry);
  const texts = new Map<string, string>();
  for (const [file, held] of moved.files) {
    const was = folder.files.get(file);
    if ('form' in held && (!was || !('hash' in was) || was.hash !== held.hash)) texts.set(file, textOf(held.form));
  }
  const gone = new Set<string>();
  const secrets = new Map<string, readonly string[]>();

  const items = paired(wanted, byId, read).map((pair): Item => {
    const { file, workflow, there, state, entry } = pair;
    const id = pair.summary?.id ?? '';
    const problem = read.unreadable.get(id) ?? ambiguous.get(pair.held || entry ? file : id);
    if (problem !== undefined) return itemOf(pair, 'error', { why: [problem] });
    const action = pullAction(state, force, workflow !== undefined);
    if (action === 'to push' && pair.held && 'problem' in pair.held)
      return itemOf(pair, 'error', { why: [pair.held.problem] });
    const was = former.get(file);
    const own = was === undefined ? {} : { was };
    if (action === 'conflict') {
      const broken = pair.held && 'problem' in pair.held ? pair.held.problem : undefined;
      const has = { file: pair.held !== undefined, n8n: workflow !== undefined, base: entry !== undefined };
      const changes = changesBetween(formIn(pair), there);
      return itemOf(pair, action, { why: [broken ?? conflictWords(has)], changes });
    }
    if (action === 'delete' || action === 'forget') {
      entries.delete(file);
      if (action === 'delete') gone.add(file);
    } else if (action !== 'to push' && action !== 'none' && workflow && there) {
      entries.set(file, { id: workflow.id, file: hashOf(there), n8n: hashInN8n(workflow, pinned) });
      if (action === 'note') return itemOf(pair, action);
      texts.set(file, textOf(there));
      const found = nodesWithSecrets(there);
      if (found.length > 0) secrets.set(file, found);
    }
    return itemOf(pair, action, { ...own, changes: action === 'update' ? changesBetween(formIn(pair), there) : [] });
  });

  if (!dryRun) {
    // If this is interrupted, the next pull finds files that were moved, and files that are newer than the side file are
    // the same as in n8n: nothing is lost.
    for (const [from, to] of renamed) await folder.move(from, to);
    for (const [file, text] of texts) if (!gone.has(file)) await folder.write(file, text);
    const sides = new Map([...moved.sides, [instance, { ...before, workflows: entries }]]);
    for (const [name, side] of sides) {
      const was = folder.sides.get(name);
      if (!was || sideText(was) !== sideText(side)) await folder.writeSide(name, side);
    }
    for (const file of gone) await folder.remove(file);
  }
  return { items, secrets };
}

/** Identifies a match before and after its file was renamed. */
function keyOf({ file, summary, entry }: Match, former: ReadonlyMap<string, string> = new Map()): string {
  const id = summary?.id ?? entry?.id;
  return id === undefined ? `file ${former.get(file ?? '') ?? file}` : `id ${id}`;
}

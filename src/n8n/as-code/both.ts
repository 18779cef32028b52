import type { Workflow } from '../client/shapes.ts';
import type { Folder } from './folder.ts';
import { type Match, nodeIds, type Reading } from './pairs.ts';
import { fewAtOnce, type Remote } from './remote.ts';
import { emptySide, type Side } from './side-file.ts';

/** A folder and the n8n that it is compared with. */
export interface Both {
  readonly folder: Folder;
  readonly remote: Remote;
}

const AT_ONCE = 4;

export interface Contents extends Reading {
  /** By id: why a workflow could not be read. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** The whole workflows of these matches. */
export async function readWorkflows(
  { remote, pinned }: Pick<Both, 'remote'> & { pinned: boolean },
  matches: readonly Match[],
  progress: (done: number, of: number) => void,
): Promise<Contents> {
  const ids = matches.flatMap(({ summary }) => (summary ? [summary.id] : []));
  const read = await fewAtOnce(
    ids,
    AT_ONCE,
    (id) => remote.read(id),
    (done) => progress(done, ids.length),
  );
  const workflows = new Map<string, Workflow>();
  const unreadable = new Map<string, string>();
  for (const [index, one] of read.entries()) {
    const id = ids[index] as string;
    if ('workflow' in one) workflows.set(id, one.workflow);
    else unreadable.set(id, one.problem);
  }
  const credentials = new Map(remote.credentials.map(({ id, name }) => [id, name]));
  return {
    workflows,
    unreadable,
    pinned,
    names: {
      workflowName: (id) => remote.workflows.get(id)?.name,
      credentialName: (id) => credentials.get(id),
    },
  };
}

/** The nodes of workflows whose files may have been renamed. */
export async function nodesOfMoved(
  { remote }: Pick<Both, 'remote'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const read = await fewAtOnce(
    ids,
    AT_ONCE,
    (id) => remote.read(id),
    () => {},
  );
  return new Map(read.flatMap((one) => ('workflow' in one ? [[one.workflow.id, nodeIds(one.workflow.nodes)]] : [])));
}

/** What the side file of this n8n says; with `pinned`, files have pinned data from now on. */
export function sideOf({ folder, remote }: Both, pinned: boolean): Side {
  const side = folder.sides.get(remote.instance) ?? emptySide;
  return pinned ? { ...side, pinnedData: true } : side;
}

import { call, Failed } from '../../console/client/api.ts';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import type { Drawing } from '../drawing/shapes.ts';
import { ChangeList, compared } from './comparison.tsx';
import { doing } from './doing.ts';
import type { Past } from './history.ts';

const SHOWN = 12;

interface GoingBack {
  readonly instance: string;
  readonly id: string;
  readonly name: string;
  readonly past: Past;
  /** Undefined if the workflow is not in n8n. */
  readonly drawing: Drawing | undefined;
  readonly changed: () => Promise<void>;
}

/** Makes a version or a backup the draft again, after the person saw what that replaces. */
export function goBack({ instance, id, name, past, drawing, changed }: GoingBack): Promise<void> {
  return doing(async () => {
    const changes = drawing && (await replacing(instance, id, past));
    if (changes?.length === 0) return 'Nothing to restore: the draft is the same.';
    const text = drawing ? (
      <>
        <p>
          This replaces the draft of <bdi>{name}</bdi>. A backup of the draft is taken first, so you can undo it. What
          is live stays live until somebody publishes the draft.
        </p>
        {changes && <ChangeList changes={changes} most={SHOWN} />}
      </>
    ) : (
      <p>
        <bdi>{name}</bdi> is not in n8n. It comes back as it was in this backup, and is not published.
      </p>
    );
    if ((await confirmed({ title: 'Restore this state?', text, yes: 'Restore' })) === undefined) return undefined;
    if (past.kind === 'backup') await call('n8n_restore_workflow', { instance, backup: past.id });
    else await writeVersion(instance, id, past.id, drawing);
    await changed();
    return drawing ? 'Restored as the draft. Publish it to make it live.' : `"${name}" is back.`;
  });
}

/** What would change, in words. A comparison that fails must not keep anybody from restoring. */
async function replacing(instance: string, id: string, past: Past): Promise<readonly string[] | undefined> {
  try {
    return (await compared(instance, id, 'draft', past.id)).changes;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return undefined;
  }
}

const LARGEST = 5_000_000;

/** n8n has no restore for its versions: the nodes and connections are written as a new draft. */
async function writeVersion(
  instance: string,
  id: string,
  version: string,
  drawing: Drawing | undefined,
): Promise<void> {
  const { full, more } = await call<{ full?: { nodes: unknown[]; connections: object }; more?: string }>(
    'n8n_get_workflow',
    { instance, id, version, detail: 'full', max_bytes: LARGEST },
  );
  if (!full || more !== undefined)
    throw new Failed('This version is too large to restore here. Restore it in n8n.', {
      code: 'unsupported',
      status: 0,
    });
  const expected = drawing?.workflow.version;
  await call('n8n_update_workflow', {
    instance,
    id,
    nodes: full.nodes,
    connections: full.connections,
    exact: true,
    ...(expected !== undefined && { expected_version: expected }),
  });
}

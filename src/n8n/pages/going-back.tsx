import { call, Failed } from '../../console/client/api.ts';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { ChangeList, compared } from './comparison.tsx';
import { doing } from './doing.ts';
import type { Past } from './history.ts';

const SHOWN = 12;

interface GoingBack {
  readonly instance: string;
  readonly id: string;
  readonly name: string;
  readonly past: Past;
  /** The workflow is not in n8n any more. */
  readonly isGone: boolean;
  /** The version of the draft that somebody looked at. */
  readonly draft: string | undefined;
  readonly changed: () => Promise<void>;
}

/** Makes a version or a backup the draft again, after the person saw what that replaces. */
export function goBack({ instance, id, name, past, isGone, draft, changed }: GoingBack): Promise<void> {
  return doing(async () => {
    const changes = isGone ? undefined : await replacing(instance, id, past);
    if (changes?.length === 0) return 'Nothing to restore: the draft is the same.';
    const text = isGone ? (
      <p>
        <bdi>{name}</bdi> is not in n8n any more. It comes back as it was in this backup, and is not published.
      </p>
    ) : (
      <>
        <p>
          This replaces the draft of <bdi>{name}</bdi>. A backup of the draft is taken first, so you can undo it. What
          is live stays live until somebody publishes the draft.
        </p>
        {changes && <ChangeList changes={changes} most={SHOWN} />}
      </>
    );
    const question = { title: 'Restore this state?', yes: 'Restore' };
    if ((await confirmed({ ...question, text })) === undefined) return undefined;
    const [tool, args] =
      past.kind === 'backup'
        ? (['n8n_restore_workflow', { instance, backup: past.id }] as const)
        : (['n8n_update_workflow', await asDraft(instance, id, past.id, draft)] as const);
    if ((await callAsking(tool, args, question)) === undefined) return undefined;
    await changed();
    return isGone ? `"${name}" is back.` : 'Restored as the draft. Publish it to make it live.';
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
async function asDraft(instance: string, id: string, version: string, draft: string | undefined): Promise<object> {
  const { full, more } = await call<{ full?: { nodes: unknown[]; connections: object }; more?: string }>(
    'n8n_get_workflow',
    { instance, id, version, detail: 'full', max_bytes: LARGEST },
  );
  if (!full || more !== undefined)
    throw new Failed('This version is too large to restore here. Restore it in n8n.', {
      code: 'unsupported',
      status: 0,
    });
  const { nodes, connections } = full;
  return { instance, id, nodes, connections, exact: true, ...(draft !== undefined && { expected_version: draft }) };
}

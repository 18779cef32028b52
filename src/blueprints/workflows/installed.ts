import type { Json } from '../../kernel/source.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { getWorkflow } from '../../n8n/workflows/get-workflow.ts';
import type { listWorkflows } from '../../n8n/workflows/list-workflows.ts';
import { type Content, content, hashOf, markOf, TAG } from './mark.ts';

/** Calls a tool for one n8n. */
export type Call = <T>(tool: string, args: Json) => Promise<T>;

/** A workflow in n8n that carries our tag and our mark. */
export interface Installed {
  readonly id: string;
  readonly name: string;
  /** The file it was made from. */
  readonly file: string;
  /** Of the content it was installed with. */
  readonly hash: string;
  readonly active: boolean;
  /** Somebody changed it since. */
  readonly edited: boolean;
}

const PAGE = 250;
const MOST_BYTES = 1_000_000;

/** Everything with our tag; those without our mark are somebody's own. */
export async function installedIn(call: Call): Promise<{ ours: Installed[]; others: number }> {
  const ours: Installed[] = [];
  let others = 0;
  let cursor: string | undefined;
  do {
    const page: OutputOf<typeof listWorkflows> = await call('n8n_list_workflows', {
      tags: [TAG],
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { id, name, active } of page.workflows) {
      const found = await contentOf(call, id);
      const mark = found && markOf(found);
      if (found && mark)
        ours.push({ id, name, active, file: mark.workflow, hash: mark.hash, edited: hashOf(found) !== mark.hash });
      else others++;
    }
    ({ cursor } = page);
  } while (cursor !== undefined);
  return { ours, others };
}

async function contentOf(call: Call, id: string): Promise<Content | undefined> {
  const { full } = await call<OutputOf<typeof getWorkflow>>('n8n_get_workflow', {
    id,
    detail: 'full',
    max_bytes: MOST_BYTES,
  });
  return content.safeParse(full).data;
}

import type { Node } from '../client/shapes.ts';
import type { Way } from './way.ts';
import { chat } from './ways/chat.ts';
import { form } from './ways/form.ts';
import { manual } from './ways/manual.ts';
import { manualChat } from './ways/manual-chat.ts';
import { mcp } from './ways/mcp.ts';
import { other } from './ways/other.ts';
import { schedule } from './ways/schedule.ts';
import { subWorkflow } from './ways/sub-workflow.ts';
import { webhook } from './ways/webhook.ts';

/** Every kind of trigger. If a workflow has several triggers, it starts at the one whose kind comes first here. */
const ways: readonly Way[] = [manual, subWorkflow, webhook, chat, manualChat, form, schedule, mcp, other];

const byType: ReadonlyMap<string, Way> = new Map(ways.flatMap((way) => way.types.map((type) => [type, way] as const)));

/** Undefined for a node that is no trigger. */
export function wayOf({ type }: Pick<Node, 'type'>): Way | undefined {
  return byType.get(type) ?? (/trigger$/i.test(type) ? other : undefined);
}

/** Sorts triggers by the place of their kind in the list. */
export const byPreference = ({ way: a }: { readonly way: Way }, { way: b }: { readonly way: Way }): number =>
  rank(a) - rank(b);

const rank = ({ kind }: Way): number => ways.findIndex((way) => way.kind === kind);

export const DRAFT = 'draft';

/** Clients know these in this order. New kinds come after them. */
const known = ['webhook', 'form', 'chat', 'sub-workflow'];

/** The values of `way` in n8n_execute_workflow. */
export const wayNames: readonly string[] = [
  ...new Set([...known, ...ways.flatMap(({ kind, outside }) => (outside ? [kind] : []))]),
  DRAFT,
];

import { z } from 'zod';

/** One thing to look at, with the call that shows more of it. */
export const lookAtShape = z.object({
  why: z.string(),
  tool: z.string().describe('Call it through n8n_read with these arguments'),
  arguments: z.record(z.string(), z.unknown()),
});

type LookAt = z.output<typeof lookAtShape>;

export interface Facts {
  readonly failing: readonly {
    readonly workflow: string;
    readonly name?: string | undefined;
    readonly node?: string | undefined;
    readonly cause: string;
    readonly count: number;
    readonly example: string;
    readonly recovered?: boolean | undefined;
  }[];
  readonly failed: number;
  readonly missing: readonly { readonly name: string; readonly type: string; readonly live: number }[];
  readonly withoutCredential: readonly { readonly id: string; readonly name: string }[];
  readonly longRunning: number;
  readonly waiting: number;
  readonly drafts: readonly { readonly id: string; readonly name: string }[];
  readonly unused: number;
}

const MOST = 6;
const LONGEST = 70;
const short = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
const named = (name: string) => `"${short(name)}"`;
const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

/** What to look at, in this order: current failures, future failures, stuck executions, forgotten things. */
export function lookAt(facts: Facts, instance: string | undefined): LookAt[] {
  const on = instance === undefined ? {} : { instance };
  const items: LookAt[] = [];
  const add = (why: string, tool: string, args: Record<string, unknown> = {}) =>
    void items.push({ why, tool, arguments: { ...on, ...args } });

  const now = facts.failing.filter(({ recovered }) => !recovered);
  for (const { workflow, name, node, cause, count, example } of now.slice(0, 2)) {
    const at = node === undefined ? '' : `${count > 1 ? ', last' : ''} at ${named(node)}`;
    add(`${named(name ?? workflow)} failed ${times(count)}${at}: ${short(cause)}`, 'n8n_get_execution', {
      id: example,
    });
  }
  if (facts.failing.length > Math.min(2, now.length)) {
    add(`All ${facts.failed} failures of the last day, by cause`, 'n8n_list_failures', { since: '24h' });
  }
  const [missing, ...others] = facts.missing.toSorted((a, b) => b.live - a.live);
  if (missing) {
    const more = others.length > 0 ? ` and ${others.length} more are` : ' is';
    const live = missing.live > 0 ? ` (live workflows: ${missing.live})` : '';
    add(
      `The credential ${named(missing.name)} (${missing.type})${more} used but missing${live}`,
      'n8n_get_dependencies',
      { credentials: true },
    );
  }
  const [without] = facts.withoutCredential;
  if (without) {
    add(
      facts.withoutCredential.length === 1
        ? `${named(without.name)} is live but names a credential that was never chosen`
        : `${facts.withoutCredential.length} live workflows name a credential that was never chosen, for example ${named(without.name)}`,
      'n8n_validate_workflow',
      { id: without.id, purpose: 'publish' },
    );
  }
  if (facts.longRunning > 0) {
    add(`Executions running for over an hour: ${facts.longRunning}`, 'n8n_list_executions', { status: 'running' });
  }
  const [draft] = facts.drafts;
  if (draft) {
    const more = facts.drafts.length > 1 ? ` and ${facts.drafts.length - 1} more` : '';
    add(`${named(draft.name)}${more}: changes that are not published yet`, 'n8n_diff_versions', { id: draft.id });
  }
  if (facts.waiting > 0)
    add(`Executions waiting for a time or an answer: ${facts.waiting}`, 'n8n_list_executions', { status: 'waiting' });
  if (facts.unused > 0)
    add(`Credentials that no workflow uses: ${facts.unused}`, 'n8n_get_dependencies', { credentials: true });
  return items.slice(0, MOST);
}

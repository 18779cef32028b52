import { spanOf } from '../kernel/moment.ts';
import { readRate } from '../kernel/rate.ts';
import type { KeyGrant } from '../store/store.ts';

export const confirmations = ['never', 'destructive', 'writes'] as const;

/** What somebody asks for who makes a key. */
export interface AskedGrant {
  readonly name?: string | undefined;
  /** Default: list and call tools. */
  readonly scopes?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  /** `90d`, or an ISO time. */
  readonly expires?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly confirm?: KeyGrant['confirm'] | undefined;
  readonly rate?: string | undefined;
}

/** What is wrong with a field. The sentence goes on after its name. */
export interface GrantProblem {
  readonly field: 'name' | 'expires' | 'rate' | 'tools';
  readonly message: string;
}

const LONGEST_NAME = 100;

/** The grant of a new key. `createKey` checks its scopes. */
export function readGrant(asked: AskedGrant, createdBy: string, now: Date): KeyGrant | GrantProblem {
  const { readOnly, confirm, rate } = asked;
  const name = asked.name?.trim() ?? '';
  const scopes = trimmed(asked.scopes) ?? ['tools:read', 'tools:execute'];
  const tools = trimmed(asked.tools);
  if (name === '') return { field: 'name', message: 'is missing' };
  if (name.length > LONGEST_NAME || /\p{C}/u.test(name))
    return { field: 'name', message: `must be one line of at most ${LONGEST_NAME} characters` };
  if (rate !== undefined && !readRate(rate)) return { field: 'rate', message: `looks like 100/min, not ${rate}` };
  if (tools?.length === 0) return { field: 'tools', message: 'names no tool: leave it out for all of them' };
  const end = asked.expires === undefined ? undefined : endOf(asked.expires, now);
  if (typeof end === 'string') return { field: 'expires', message: end };
  return {
    name,
    scopes,
    ...(tools && { tools }),
    ...(readOnly && { readOnly }),
    ...(confirm && { confirm }),
    ...(rate !== undefined && { rate }),
    createdAt: now.toISOString(),
    createdBy,
    ...(end && { expiresAt: end.toISOString() }),
  };
}

const trimmed = (list: readonly string[] | undefined): string[] | undefined =>
  list && [...new Set(list.map((one) => one.trim()).filter((one) => one !== ''))];

/** When it expires, or what is wrong with the text. */
function endOf(text: string, now: Date): Date | string {
  const span = spanOf(text);
  const end = new Date(span === undefined ? text : now.getTime() + span);
  if (Number.isNaN(end.getTime())) return `must be 90d, 12h or an ISO time, not ${text}`;
  return end <= now ? `${text} is in the past` : end;
}

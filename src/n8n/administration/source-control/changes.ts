import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { someOf } from '../../../kernel/some-of.ts';
import type { Conflicted, SourceChange } from '../../client/source-control.ts';

export const changeOutput = z.object({
  type: z.string().describe('workflow, credential, variables, tags, folders, project, datatable or file'),
  id: z.string(),
  name: z.string(),
  status: z.string().describe('new, modified, deleted, renamed, …'),
  conflict: z.literal(true).optional().describe('Changed on both sides'),
  error: z.string().optional().describe('Why n8n did not publish it'),
});

export const changeOf = ({ type, id, name, status, conflict, publishingError }: SourceChange) => ({
  type,
  id,
  name,
  status,
  ...(conflict && { conflict: true as const }),
  ...(publishingError !== undefined && { error: publishingError }),
});

export const inWords = (changes: readonly SourceChange[]): string =>
  someOf(
    changes.map(({ type, name, status, conflict }) => `${type} "${name}" (${status}${conflict ? ', conflict' : ''})`),
    15,
  );

export function needNoConflicts(result: SourceChange[] | Conflicted, what: string): SourceChange[] {
  if (Array.isArray(result)) return result;
  const conflicts = result.conflicts.filter(({ conflict, status }) => conflict || status === 'modified');
  throw new AppError(
    'conflict',
    `Nothing was ${what}: both sides changed. ${inWords(conflicts)}. Repeat with "force": true to overwrite the other side.`,
    { cause: result.error, data: { ...result.error.data, conflicts: conflicts.slice(0, 50).map(({ id }) => id) } },
  );
}

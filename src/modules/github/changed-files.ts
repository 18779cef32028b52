import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../shown.ts';
import { sizeInReply } from './file-part.ts';
import { known, maybe } from './lenient.ts';

export const changedFile = z.object({
  filename: z.string(),
  previous_filename: maybe(z.string()),
  status: z.string(),
  additions: z.int(),
  deletions: z.int(),
  patch: maybe(z.string()),
});
export type ChangedFile = z.output<typeof changedFile>;

export const fileInput = z.string().min(1).max(1000).optional().describe('Only this file, with its whole patch');
export const patchOffsetInput = z.int().min(0).default(0).describe('With file: where its patch goes on (next_offset)');

export const changedFileOutput = z.object({
  path: z.string(),
  from: z.string().optional().describe('Its name before'),
  status: z.string(),
  added: z.int(),
  deleted: z.int(),
  patch: z.string().optional().describe('Missing if it is binary or too long for GitHub'),
  patch_bytes: z.int().optional().describe('Of the whole patch, if only a part is shown'),
  next_offset: z.int().optional().describe('Where the patch goes on: ask with file and offset'),
});

/** How much of a patch is shown among others, and alone. */
const AMONG = 500;
const ALONE = 2500;

export function shownFile(
  { filename, previous_filename, status, additions, deletions, patch }: ChangedFile,
  offset?: number,
) {
  const part = typeof patch === 'string' ? fitting(Buffer.from(patch), offset) : undefined;
  return {
    path: filename.slice(0, 500),
    status,
    added: additions,
    deleted: deletions,
    ...known({
      from: previous_filename?.slice(0, 500),
      patch: part?.value,
      patch_bytes: part?.bytes,
      next_offset: part?.next_offset,
    }),
  };
}

/** JSON escapes line ends and quotes: a patch of many short lines takes more room. */
function fitting(patch: Buffer, offset: number | undefined) {
  if (offset !== undefined && offset > 0 && offset >= patch.length)
    throw new AppError('invalid_input', `The patch has ${patch.length} bytes: offset ${offset} is behind its end.`);
  const room = offset === undefined ? AMONG : ALONE;
  for (let most = room; ; most = Math.floor(most / 2)) {
    const part = shown(patch, { offset: offset ?? 0, most });
    if (sizeInReply(part.value) <= room * 1.4 || most < 100) return part;
  }
}

/** The file that a call asks for. */
export function fileNamed(files: readonly ChangedFile[], name: string): ChangedFile {
  const found = files.find(({ filename, previous_filename }) => filename === name || previous_filename === name);
  if (found) return found;
  const some = files.slice(0, 10).map(({ filename }) => filename);
  throw new AppError(
    'not_found',
    `${name} is not among the changed files. Some of them: ${some.join(', ') || 'none'}.`,
  );
}

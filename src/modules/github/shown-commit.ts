import { z } from 'zod';
import { shortened } from '../shown.ts';
import { known, maybe } from './lenient.ts';

const person = maybe(z.object({ name: maybe(z.string()), date: maybe(z.string()) }));
const account = maybe(z.object({ login: maybe(z.string()) }));

export const commit = z.object({
  sha: z.string(),
  commit: z.object({ message: z.string(), author: person, committer: person }),
  author: account,
  parents: z.array(z.object({ sha: z.string() })).default([]),
});

export const commitOutput = z.object({
  sha: z.string(),
  title: z.string().describe('First line of the message'),
  author: z.string().optional(),
  date: z.string().optional(),
});

const MOST_TITLE = 200;
/** Enough to be found by, and a third of the length. */
const SHA_SHOWN = 12;

export const shortSha = (sha: string): string => sha.slice(0, SHA_SHOWN);

export function shownCommit({ sha, commit: { message, author, committer }, author: by }: z.output<typeof commit>) {
  return {
    sha: shortSha(sha),
    title: shortened(message.split('\n', 1)[0] ?? '', MOST_TITLE),
    ...known({
      author: by?.login ?? author?.name?.slice(0, 100),
      date: committer?.date ?? author?.date,
    }),
  };
}

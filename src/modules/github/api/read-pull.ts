import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '../../../kernel/errors.ts';
import type { GitHub, Question } from '../connection.ts';
import { inRepo } from '../tool.ts';
import { type WholePull, wholePull } from './pulls.ts';

const PAUSE_MS = 700;
const MOST_LOOKS = 4;

type Asked = Pick<Question, 'signal' | 'progress'>;

/** Reads a pull request. GitHub tries whether it can be merged only when it is asked: this asks until it knows. */
export async function readPull(github: GitHub, repo: string, number: number, asked: Asked): Promise<WholePull> {
  for (let look = 1; ; look += 1) {
    const pull = await github.json(wholePull, inRepo(repo, 'pulls', String(number)), asked);
    const isKnown = pull.state !== 'open' || typeof pull.mergeable === 'boolean';
    if (isKnown || look === MOST_LOOKS) return pull;
    await delay(PAUSE_MS, undefined, { signal: asked.signal }).catch(() => {
      throw toAppError(asked.signal.reason);
    });
  }
}

/** Throws unless this is still the head: somebody may have pushed since it was looked at. */
export function needHead(repo: string, { number, head }: Pick<WholePull, 'number' | 'head'>, sha: string): void {
  if (head.sha === sha) return;
  throw new AppError(
    'conflict',
    `${repo}#${number} has other commits than those you looked at: its head is now ${head.sha}, not ${sha}. Look at it again with github_get_pull, then repeat the call with the new head_sha.`,
  );
}

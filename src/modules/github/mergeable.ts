import { AppError } from '../../kernel/errors.ts';
import type { WholePull } from './api/pulls.ts';

/** What `mergeable_state` means. */
export function mergeState({ state, merged_at, mergeable, mergeable_state, draft }: WholePull): string {
  if (merged_at) return 'merged';
  if (state !== 'open') return 'closed';
  if (draft || mergeable_state === 'draft') return 'draft: it has to be marked as ready for review first';
  if (mergeable === false) return 'conflicts with the base branch, which have to be resolved first';
  switch (mergeable_state) {
    case 'clean':
    case 'has_hooks':
      return 'can be merged';
    case 'unstable':
      return 'can be merged, but checks that are not required have failed or are not finished';
    case 'blocked':
      return 'blocked: a rule of the base branch, such as a required review or check, is not met';
    case 'behind':
      return 'behind the base branch: github_update_pull_branch brings it up to date';
    default:
      return mergeable === true ? 'can be merged' : 'unknown: GitHub is still trying; ask again in a moment';
  }
}

/** Throws if GitHub would certainly refuse the merge. Whoever may bypass a rule can merge what is blocked. */
export function needMergeable(repo: string, pull: WholePull): void {
  const at = `${repo}#${pull.number}`;
  if (pull.merged_at || pull.merged) throw new AppError('conflict', `${at} is merged already. Nothing is to be done.`);
  if (pull.state !== 'open')
    throw new AppError('conflict', `${at} is closed. Reopen it with github_update_pull first.`);
  if (pull.draft)
    throw new AppError('conflict', `${at} is a draft. Mark it as ready for review in GitHub, then merge it.`);
  if (pull.mergeable === false)
    throw new AppError(
      'conflict',
      `${at} conflicts with ${pull.base.ref}. Resolve the conflicts in ${pull.head.ref}, then merge it.`,
    );
}

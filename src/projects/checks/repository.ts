import { z } from 'zod';
import { counted } from '../../kernel/some-of.ts';
import { defaultCheck, moduleAbsent, toolOf } from './default-check.ts';

/** `owner/name` at GitHub. */
export const repositoryCheck = defaultCheck({
  kind: 'repository',
  absent: moduleAbsent('github', 'GitHub'),
  tool: (item) => toolOf(item, 'github', 'get_repository'),
  arguments: ({ name }) => ({ repo: name }),
  answer: z.object({
    archived: z.boolean().optional(),
    default_branch: z.string().optional(),
    pushed: z.string().optional(),
    open_issues: z.int().optional(),
  }),
  read({ archived, default_branch: branch, pushed, open_issues: issues }) {
    const seen = [
      ...(branch === undefined ? [] : [`branch ${branch}`]),
      ...(pushed === undefined ? [] : [`pushed ${pushed}`]),
      ...(issues === undefined ? [] : [`${counted(issues, 'open issue')} and pull requests`]),
    ];
    if (archived)
      return { state: 'warning', seen: 'archived', next: 'Nobody can push to it. Remove it if it is done.' };
    return { state: 'ok', seen: seen.join(', ') || 'exists' };
  },
});

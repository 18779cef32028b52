import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { loginOf } from '../api/fields.ts';
import { comment, issue } from '../api/issues.ts';
import { fittedBody } from '../body-text.ts';
import { numberInput, offsetInput } from '../issue-input.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

export const getComment = githubTool({
  name: 'github_get_comment',
  title: 'Get a comment',
  description:
    'Reads one long text, part by part: a comment by its id, or the text of an issue or pull request by its number.',
  phrases: 'read a whole comment; the rest of an issue; full text of a review comment; long description',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    comment: z.int().min(1).optional().describe('Id of a comment'),
    number: numberInput.optional().describe('Instead: the number of the issue or pull request'),
    is_review_comment: z.boolean().default(false).describe('The comment is on a line of a pull request'),
    offset: offsetInput,
  }),
  output: z.object({
    author: z.string(),
    created_at: z.string(),
    url: z.string(),
    body: z.string().optional(),
    next_offset: z.int().optional(),
  }),
  async run({ repo, comment: id, number, is_review_comment, offset }, github, { signal }, progress) {
    if ((id === undefined) === (number === undefined))
      throw new AppError('invalid_input', 'Say either comment, an id, or number, that of the issue or pull request.');
    const found = await (number === undefined
      ? github.json(comment, inRepo(repo, is_review_comment ? 'pulls' : 'issues', 'comments', String(id)), {
          signal,
          progress,
        })
      : github.json(issue, inRepo(repo, 'issues', String(number)), { signal, progress }));
    const besides = { author: loginOf(found.user), created_at: found.created_at, url: found.html_url };
    return { ...besides, ...fittedBody(found.body, besides, { offset }) };
  },
});

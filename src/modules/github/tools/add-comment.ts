import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { comment } from '../api/issues.ts';
import { bodyInput, numberInput } from '../issue-input.ts';
import { orSay } from '../refusal.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

export const addComment = githubTool({
  name: 'github_add_comment',
  title: 'Add a comment',
  description: 'Comments on an issue or a pull request. github_create_review comments on lines.',
  phrases: 'comment on an issue; reply to a pull request; answer a ticket',
  effect: 'create',
  input: z.strictObject({ repo: repoInput, number: numberInput, body: bodyInput.min(1) }),
  output: z.object({ id: z.int(), url: z.string() }),
  async run({ repo, number, body }, github, { signal }, progress) {
    const path = inRepo(repo, 'issues', String(number), 'comments');
    const sent = github.json(comment, path, { method: 'POST', body: { body }, signal, progress });
    const { id, html_url } = await orSay(sent, ({ status, body: said }) =>
      status === 403 && /locked/i.test(said)
        ? new AppError(
            'forbidden',
            `The conversation of ${repo}#${number} is locked, and the comment was not added. Somebody who may write to the repository can unlock it.`,
          )
        : undefined,
    );
    return { id, url: html_url };
  },
});

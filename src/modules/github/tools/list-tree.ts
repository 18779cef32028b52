import { z } from 'zod';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { globMatcher } from '../../../kernel/glob.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { maybe } from '../lenient.ts';
import { cursorInput, githubTool, inRepo, pathInput, refInput, repoInput, slashed } from '../tool.ts';

const tree = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string(), size: maybe(z.int()) })),
  truncated: z.boolean().default(false),
});

const MB = 1024 * 1024;

export const listTree = githubTool({
  name: 'github_list_tree',
  title: 'List all files',
  description:
    'Lists the files of a repository with their sizes: all, those below a folder, or those whose path matches a glob.',
  phrases: 'list all files in the repo; show the directory tree; find files by name; where is the dockerfile',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    ref: refInput.default('HEAD').describe('Branch, tag or commit; default: the default branch'),
    path: pathInput.default('').describe('Only below this folder'),
    pattern: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Glob over the whole path; * also matches /, e.g. *.test.ts'),
    recursive: z.boolean().default(true).describe('false lists one folder only'),
    folders: z.boolean().default(false).describe('Folders, too'),
    cursor: cursorInput,
  }),
  output: z.object({
    total: z.int().describe('That match'),
    files: z.array(
      z.object({
        path: z.string(),
        type: z.string().optional().describe('folder or submodule'),
        size: z.int().optional(),
      }),
    ),
    truncated: z
      .literal(true)
      .optional()
      .describe('GitHub left files out: the repository is too large. Ask below a folder with github_get_file'),
    cursor: z.string().optional().describe('For the next page'),
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { repo, ref, path, pattern, recursive, folders } = asked;
    const { skip } = placeIn('github_list_tree', asked, cursor);
    const found = await github.json(tree, inRepo(repo, 'git', 'trees', ...slashed(ref)), {
      query: { recursive: recursive || path !== '' ? '1' : undefined },
      mostBytes: 48 * MB,
      signal,
      progress,
    });
    const matches = pattern === undefined ? () => true : globMatcher([pattern]);
    const prefix = path === '' ? '' : `${path}/`;
    const kept = found.tree.filter(
      (one) =>
        one.path.startsWith(prefix) &&
        (one.type !== 'tree' || folders || !recursive) &&
        (recursive || !one.path.slice(prefix.length).includes('/')) &&
        matches(one.path),
    );
    const some = kept.slice(skip, skip + 300).map(({ path: name, type, size }) => ({
      path: name,
      ...(type !== 'blob' && { type: type === 'tree' ? 'folder' : 'submodule' }),
      ...(typeof size === 'number' && { size }),
    }));
    const count = some.length === 0 ? 0 : fittingItems(some, { cursor: 'x'.repeat(100), total: 0, truncated: true });
    const next = skip + count;
    return {
      total: kept.length,
      files: some.slice(0, count),
      ...(found.truncated && { truncated: true as const }),
      ...(next < kept.length && { cursor: cursorFor('github_list_tree', asked, { skip: next }) }),
    };
  },
});

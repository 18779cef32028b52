import { z } from 'zod';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { partOf } from '../answer.ts';
import type { GitHub, Question } from '../connection.ts';
import { shownPart } from '../file-part.ts';
import { known, maybe } from '../lenient.ts';
import { cursorInput, githubTool, inRepo, pathInput, refInput, repoInput, slashed } from '../tool.ts';

const entry = z.object({ name: z.string(), type: z.string(), size: z.int().default(0), sha: z.string() });
const content = entry.extend({
  path: z.string(),
  html_url: maybe(z.string()),
  encoding: maybe(z.string()),
  content: maybe(z.string()),
  target: maybe(z.string()),
  submodule_git_url: maybe(z.string()),
  entries: maybe(z.array(entry)),
});
type Content = z.output<typeof content>;

const RAW = 'application/vnd.github.raw+json';
/** Files up to 1 MB come as base64; longer ones only raw. */
const OBJECT = 'application/vnd.github.object+json';
const MOST = 3000;

export const getFile = githubTool({
  name: 'github_get_file',
  title: 'Read a file or folder',
  description:
    'Reads a file of a repository, from an offset if it is long, or lists a folder. The sha is needed to change or delete the file.',
  phrases:
    'read a file from github; show the readme; cat a file in the repo; what is in this folder; get file contents',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    path: pathInput.default('').describe('File or folder; without it, the root'),
    ref: refInput.optional().describe('Branch, tag or commit; default: the default branch'),
    offset: z.int().min(0).default(0).describe('In bytes, from next_offset'),
    cursor: cursorInput,
  }),
  output: z.object({
    type: z.string().describe('file, dir, symlink or submodule'),
    path: z.string(),
    sha: z.string().optional(),
    size: z.int().optional(),
    url: z.string().optional(),
    content: z.string().optional(),
    encoding: z.literal('base64').optional().describe('If it is not text'),
    next_offset: z.int().optional().describe('The file goes on there'),
    target: z.string().optional().describe('Of a symlink, or of a submodule'),
    entries: z
      .array(
        z.object({
          name: z.string(),
          type: z.string().optional().describe('If it is not a file'),
          size: z.int().optional(),
        }),
      )
      .optional(),
    cursor: z.string().optional().describe('For more entries'),
  }),
  async run({ cursor, offset, ...asked }, github, { signal }, progress) {
    const { repo, path, ref } = asked;
    const at = inRepo(repo, 'contents', ...(path === '' ? [] : slashed(path)));
    const question = { query: { ref }, signal, progress };
    const found = await github.json(content, at, { ...question, headers: { accept: OBJECT } });
    const about = { type: found.type, path: found.path, ...known({ url: found.html_url?.slice(0, 500) }) };
    if (found.entries) return { ...about, type: 'dir', ...folder(found, asked, cursor) };
    if (found.type !== 'file')
      return { ...about, sha: found.sha, ...known({ target: found.target ?? found.submodule_git_url }) };
    const { size, sha } = found;
    if (offset > 0 && offset >= size)
      throw new AppError('invalid_input', `${path} has ${size} bytes: offset ${offset} is behind its end.`);
    const bytes = await bytesOf(github, found, at, offset, question);
    return { ...about, sha, size, ...shownPart(bytes, { offset, size }) };
  },
});

/** A few bytes more than are shown, so that the last character is whole. */
async function bytesOf(github: GitHub, found: Content, at: readonly string[], offset: number, question: Question) {
  if (found.encoding === 'base64' && typeof found.content === 'string')
    return Buffer.from(found.content, 'base64').subarray(offset, offset + MOST);
  const { body } = await github.stream(at, { ...question, headers: { accept: RAW } });
  return (await partOf(body, { offset, most: MOST })).bytes;
}

function folder({ entries }: Content, asked: object, cursor: string | undefined) {
  const { skip } = placeIn('github_get_file', asked, cursor);
  const all = entries ?? [];
  const some = all.slice(skip, skip + 300).map(({ name, type, size }) => ({
    name,
    ...(type === 'file' ? { size } : { type }),
  }));
  const count = some.length === 0 ? 0 : fittingItems(some, { path: 'x'.repeat(600), cursor: 'x'.repeat(100) });
  const next = skip + count;
  return {
    entries: some.slice(0, count),
    ...(next < all.length && { cursor: cursorFor('github_get_file', asked, { skip: next }) }),
  };
}

/** The change of one file in a unified diff. */
export interface FileDiff {
  readonly path: string;
  readonly status: 'added' | 'removed' | 'renamed' | 'modified';
  /** Where a renamed file was. */
  readonly previous?: string;
  /** The hunks, from the first `@@` on; or a line that says why there are none. */
  readonly lines: readonly string[];
}

/** The files of a unified diff as `git diff` writes it. */
export function filesIn(diff: string): FileDiff[] {
  const files: string[][] = [];
  for (const line of diff.replace(/\r?\n$/, '').split('\n')) {
    // Lines of a hunk begin with a space, a plus, a minus or a backslash: this one can only be a header.
    if (line.startsWith('diff --git ')) files.push([line]);
    else files.at(-1)?.push(line);
  }
  return files.map(fileOf);
}

function fileOf(lines: readonly string[]): FileDiff {
  const found = lines.findIndex((line) => line.startsWith('@@'));
  const head = lines.slice(0, found === -1 ? lines.length : found);
  const hunks = found === -1 ? [] : lines.slice(found);
  const after = (word: string) => head.find((line) => line.startsWith(word))?.slice(word.length);
  const before = side(after('--- '), 'a/');
  const now = side(after('+++ '), 'b/');
  const previous = after('rename from ');
  const isAdded = after('new file mode') !== undefined;
  const isRemoved = after('deleted file mode') !== undefined;
  const renamed = after('rename to ');
  return {
    path: unquoted(renamed ?? now ?? before ?? namedIn(head[0] ?? '')),
    status: isAdded ? 'added' : isRemoved ? 'removed' : renamed === undefined ? 'modified' : 'renamed',
    ...(previous !== undefined && { previous: unquoted(previous) }),
    lines: hunks.length > 0 ? hunks : [insteadOf(head)],
  };
}

/** The path of a `---` or `+++` line; none for /dev/null. Git quotes a path with special characters as a whole. */
function side(given: string | undefined, prefix: string): string | undefined {
  const path = given?.replace(/\t$/, '');
  if (path === undefined || path === '/dev/null') return undefined;
  const plain = unquoted(path);
  return plain.startsWith(prefix) ? plain.slice(prefix.length) : plain;
}

/** `diff --git a/x b/x`: both paths are the same, because a rename has lines of its own. */
function namedIn(line: string): string {
  const both = line.slice('diff --git '.length);
  const first = both.slice(0, (both.length - 1) / 2);
  const plain = unquoted(first);
  return plain.startsWith('a/') ? plain.slice(2) : plain;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

/** Git writes bytes that are not ASCII in octal, between quotes. */
function unquoted(path: string): string {
  if (!/^".*"$/.test(path)) return path;
  const bytes: Buffer[] = [];
  for (const [, octal, escaped, plain] of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8)]));
    else bytes.push(Buffer.from(plain ?? ESCAPES.get(escaped ?? '') ?? escaped ?? ''));
  }
  return Buffer.concat(bytes).toString('utf8');
}

function insteadOf(head: readonly string[]): string {
  if (head.some((line) => /^(?:Binary files |GIT binary patch)/.test(line))) return '(binary file)';
  const mode = head.find((line) => line.startsWith('new mode '));
  if (mode !== undefined) return `(only the mode changed: ${mode.slice('new mode '.length)})`;
  return head.some((line) => line.startsWith('rename to ')) ? '(renamed without changes)' : '(empty file)';
}

import { open, rename, rm, stat, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { exit } from '../../cli/frame.ts';
import { AppError } from '../../kernel/errors.ts';
import { counted } from '../../kernel/some-of.ts';
import type { Json } from '../../kernel/source.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { memoryExport } from '../tools/memory-export.ts';
import type { memoryListNamespaces } from '../tools/memory-list-namespaces.ts';
import { grouped } from './grouped.ts';
import type { Call, MemoryPlace } from './call.ts';
import { graphLines } from './read-graph.ts';

const CHARACTERS = 500_000;

export interface AskedExport {
  readonly format: 'jsonl' | 'markdown';
  readonly namespace: string | undefined;
  readonly out: string | undefined;
}

export async function exportMemories(call: Call, asked: AskedExport, { cwd, terminal }: MemoryPlace): Promise<number> {
  const names = await namespacesFor(call, asked.namespace);
  const total = names.reduce((sum, { memories }) => sum + memories, 0);
  const out = asked.out === undefined ? undefined : resolve(cwd, asked.out);
  const isFolder = out !== undefined && (/[/\\]$/.test(asked.out ?? '') || (await isDirectory(out)));
  const extension = asked.format === 'jsonl' ? 'jsonl' : 'md';
  let done = 0;

  async function* textOf(name: string): AsyncGenerator<string> {
    let cursor: string | undefined;
    do {
      const args: Json = { namespace: name, format: asked.format, characters: CHARACTERS };
      const piece = await call<OutputOf<typeof memoryExport>>(
        'memory_export',
        cursor === undefined ? args : { ...args, cursor },
      );
      if (piece.content !== '') yield piece.content;
      done += piece.memories;
      terminal.progress(`${grouped(done)} of ${grouped(Math.max(total, done))} memories`);
      ({ cursor } = piece);
    } while (cursor !== undefined);
  }

  // Everything is the graph, too. Its lines are those of server-memory.
  const hasGraph = asked.namespace === undefined && asked.format === 'jsonl';
  let lines = 0;
  async function* graph(): AsyncGenerator<string> {
    for await (const line of graphLines(call)) {
      lines += 1;
      yield line;
    }
  }
  async function* all(): AsyncGenerator<string> {
    for (const { name } of names) yield* textOf(name);
    if (hasGraph) yield* graph();
  }

  if (out === undefined) {
    // Whole lines: the terminal ends each print with a line feed.
    let rest = '';
    for await (const text of all()) {
      const end = text.lastIndexOf('\n');
      if (end >= 0) terminal.print(rest + text.slice(0, end));
      rest = end >= 0 ? text.slice(end + 1) : rest + text;
    }
    if (rest !== '') terminal.print(rest);
  } else if (isFolder) {
    for (const { name } of names) await writeFile(join(out, `${encodeURIComponent(name)}.${extension}`), textOf(name));
  } else await writeFile(out, all());
  terminal.say(
    `Exported ${grouped(done)} ${done === 1 ? 'memory' : 'memories'} of ${counted(names.length, 'namespace')}${lines === 0 ? '' : ` and ${grouped(lines)} entities and relations`}${out === undefined ? '' : ` to ${out}`}.`,
  );
  return exit.done;
}

type Namespaces = OutputOf<typeof memoryListNamespaces>;

/** All that the caller may use, or the one that was named. */
async function namespacesFor(call: Call, name: string | undefined): Promise<{ name: string; memories: number }[]> {
  const all: Namespaces['namespaces'] = [];
  for (let more: number | undefined = 1; more !== undefined; ) {
    const after = all.at(-1)?.name;
    const page: Namespaces = await call<Namespaces>('memory_list_namespaces', after === undefined ? {} : { after });
    all.push(...page.namespaces);
    ({ more } = page);
  }
  // One that is not listed is asked for all the same: the answer says why it cannot be had.
  return name === undefined ? all : [all.find((one) => one.name === name) ?? { name, memories: 0 }];
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Writes atomically: the file has all of it, or is what it was. Only this user can read it. */
async function writeFile(path: string, texts: AsyncIterable<string>): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(draft, 'w', 0o600);
    try {
      for await (const text of texts) await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    const { code } = error as { code?: string };
    if (error instanceof AppError || code === undefined) throw error;
    throw new AppError('invalid_input', `Cannot write ${path} (${code}). Choose another place with --out.`, {
      cause: error,
    });
  }
}

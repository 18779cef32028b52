import { exit } from '../../cli/frame.ts';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { createPace } from '../../kernel/pace.ts';
import { counted } from '../../kernel/some-of.ts';
import type { OutputOf } from '../../kernel/tool.ts';
import type { memoryImport } from '../tools/memory-import.ts';
import { batchesOf, inGroups } from '../transfer/batches.ts';
import { graphAsMemories } from '../transfer/graph-as-memories.ts';
import type { Format, GraphLine, NewImport } from '../transfer/item.ts';
import { withOrigins } from '../transfer/origins.ts';
import { lineOfImport } from '../transfer/own-lines.ts';
import { readContent } from '../transfer/read.ts';
import { filesAt } from './files.ts';
import { grouped } from './grouped.ts';
import { sendGraph } from './send-graph.ts';
import type { Call, MemoryPlace } from './call.ts';

/** What one call sends: little, so that reading it does not hold up the calls of others. */
const CALL = { memories: 200, characters: 700_000 };
const MOST_SHOWN = 20;

export interface AskedImport {
  readonly paths: readonly string[];
  readonly format: Format | 'auto';
  readonly namespace: string | undefined;
  readonly json: boolean;
}

interface BrokenLine {
  readonly file: string;
  readonly line?: number;
  readonly reason: string;
}

type Connected = (work: (call: Call, signal: AbortSignal) => Promise<number>) => Promise<number>;

/** Imports files. Without a connection it only reads them. */
export async function importMemories(
  connected: Connected | undefined,
  asked: AskedImport,
  { cwd, terminal }: MemoryPlace,
): Promise<number> {
  const found = await filesAt(asked.paths, cwd, terminal);
  const broken: BrokenLine[] = [...found.problems];
  const memories: NewImport[] = [];
  const graph: { name: string; line: GraphLine }[] = [];
  for (const [at, file] of found.files.entries()) {
    terminal.progress(`Reading ${grouped(at + 1)} of ${grouped(found.files.length)} files`);
    try {
      const parsed = await readContent(await file.read(), file.name, asked.format);
      for (const memory of parsed.memories) memories.push(memory);
      for (const line of parsed.graph) graph.push({ name: file.name, line });
      for (const problem of parsed.problems) broken.push({ file: file.path, ...problem });
    } catch (error) {
      broken.push({ file: file.path, reason: messageOf(error) });
    }
  }
  const done = { imported: 0, known: 0, expired: 0, entities: 0, relations: 0 };
  const isEmpty = memories.length === 0 && graph.length === 0;
  if (connected && !isEmpty)
    await connected(async (call, signal) => {
      const hasGraph = graph.length === 0 || (await toGraph(call));
      if (!hasGraph) terminal.say('The graph is off, so entities and relations become memories in words.');
      await send(call, signal);
      return exit.done;
    });

  /** False if there is no graph: its lines are memories then. */
  async function toGraph(call: Call): Promise<boolean> {
    const lines = graph.map(({ line }) => line);
    const sent = await sendGraph(call, lines, (count) =>
      terminal.progress(`${grouped(count)} of ${grouped(lines.length)} entities and relations`),
    );
    if (sent) {
      done.entities = sent.entities;
      done.relations = sent.relations;
      for (const reason of sent.problems) broken.push({ file: 'graph', reason });
      return true;
    }
    for (const [name, some] of Map.groupBy(graph, (one) => one.name)) {
      const pace = createPace();
      const words = await graphAsMemories(
        some.map(({ line }) => line),
        pace,
      );
      for (const memory of await withOrigins(words.memories, name, pace)) memories.push(memory);
      for (const problem of words.problems) broken.push({ file: name, ...problem });
    }
    return false;
  }

  async function send(call: Call, signal: AbortSignal): Promise<void> {
    let handled = 0;
    for (const batch of batchesOf(inGroups(memories), CALL)) {
      signal.throwIfAborted();
      const answer = await call<OutputOf<typeof memoryImport>>('memory_import', {
        format: 'jsonl',
        content: batch.map(lineOfImport).join('\n'),
        ...(asked.namespace !== undefined && { namespace: asked.namespace }),
      }).catch((error: unknown) => {
        throw interrupted(error, handled);
      });
      done.imported += answer.imported;
      done.known += answer.known;
      done.expired += answer.expired ?? 0;
      for (const { reason } of answer.problems ?? []) broken.push({ file: 'memory_import', reason });
      handled += batch.length;
      terminal.progress(`${grouped(handled)} of ${grouped(memories.length)} memories`);
    }
  }

  if (asked.json)
    terminal.print(
      JSON.stringify(
        connected
          ? { ...done, broken: broken.length, problems: broken }
          : { memories: memories.length, graph: graph.length, broken: broken.length, problems: broken },
        null,
        2,
      ),
    );
  else {
    for (const { file, line, reason } of broken.slice(0, MOST_SHOWN))
      terminal.say(`${file}${line === undefined ? '' : `:${line}`}: ${reason.replaceAll('\n', ' ')}`);
    if (broken.length > MOST_SHOWN)
      terminal.say(`And ${grouped(broken.length - MOST_SHOWN)} more problems: --json shows all.`);
    terminal.say(summary());
  }
  return broken.length > 0 ? exit.failed : exit.done;

  function summary(): string {
    const from = counted(found.files.length, 'file');
    const graphPart =
      done.entities + done.relations > 0
        ? ` ${counted(done.entities, 'entity').replace('entitys', 'entities')} and ${counted(done.relations, 'relation')} are in the graph.`
        : '';
    return [
      isEmpty
        ? `There is nothing to import in ${from}.`
        : connected
          ? `Imported ${memoriesOf(done.imported)} from ${from}.${graphPart}`
          : `Would import ${memoriesOf(memories.length)}${graph.length > 0 ? ` and ${counted(graph.length, 'line')} of a graph` : ''} from ${from}. Nothing was imported.`,
      ...(done.known > 0 ? [`${grouped(done.known)} were there already.`] : []),
      ...(done.expired > 0 ? [`${grouped(done.expired)} have expired and were left out.`] : []),
      ...(found.others > 0 ? [`${counted(found.others, 'other file')} left out.`] : []),
      ...(broken.length > 0 ? [`${counted(broken.length, 'problem')}.`] : []),
    ].join(' ');
  }
}

const memoriesOf = (count: number): string => `${grouped(count)} ${count === 1 ? 'memory' : 'memories'}`;

/** What was sent before stays, and a second run finds it. */
function interrupted(error: unknown, handled: number): unknown {
  if (!(error instanceof AppError) || handled === 0) return error;
  return new AppError(
    error.code,
    `${error.message} ${grouped(handled)} memories were handled before; run the command again for the rest.`,
    { cause: error },
  );
}

import { callOwn } from '../../cli/client.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { reach } from '../../cli/reach.ts';
import { choiceIn, configWithoutGateway, given, jsonOption, numberIn, textIn } from '../../cli/values.ts';
import type { Place } from '../../host/place.ts';
import type { Options, Values, Verbs } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Call } from './call.ts';
import { exportMemories } from './export.ts';
import { importMemories } from './import.ts';
import { searchMemories } from './search.ts';

const MOST_PATHS = 1000;

const namespace = { type: 'string', describe: 'Only this namespace' } as const;

/** Memories from the command line. */
export function memoryCommand(place: Place): Verbs {
  /** Runs a verb with a gateway to call. */
  async function withMemory(
    values: Values,
    work: (call: Call, signal: AbortSignal) => Promise<number>,
    stopped?: string,
  ): Promise<number> {
    const signal = untilCancelled(stopped);
    const file = textIn(values, 'config');
    await using client = await reach(place, { tool: 'memory_search', signal, ...given('file', file) });
    return await work(
      // The graph may be off by itself, and is left out then.
      (tool, args) => callOwn(client, tool, args, { signal, ...(tool.startsWith('memory_') && { absent: isOff }) }),
      signal,
    );
  }

  const more: Options = { config: configWithoutGateway, json: jsonOption };

  return {
    example: "sluice memory search 'Which port does staging use?'",
    verbs: {
      search: {
        summary: 'Finds memories by meaning and by words, the best first',
        usage: 'QUERY [--namespace N] [--tag T] [--as-of T] [--limit N] [--json]',
        example: "sluice memory search 'Which port does staging use?'",
        positionals: [1, 1],
        options: {
          namespace,
          tag: { type: 'string', describe: 'Only with this tag; may be repeated', repeats: true },
          'as-of': { type: 'string', describe: 'What was true then: an ISO time, or 30d for a month ago' },
          limit: { type: 'string', describe: 'How many (8)' },
          ...more,
        },
        run({ values, positionals: [query = ''] }) {
          const tags = textIn(values, 'tag');
          const limit = numberIn(values, 'limit', [1, 50]);
          const args = {
            query,
            ...given('namespace', textIn(values, 'namespace')),
            ...(tags !== undefined && { tags: tags.split(',') }),
            ...given('as_of', textIn(values, 'as-of')),
            ...(limit !== undefined && { limit }),
          };
          return withMemory(values, (call) => searchMemories(call, args, values.json === true, place.terminal));
        },
      },
      import: {
        summary: 'Imports files or folders: exports of Sluice and others, Markdown, JSON, JSON Lines',
        usage: 'PATH … [--format F] [--namespace N] [--dry-run] [--json]',
        example: 'sluice memory import ~/notes --namespace notes',
        positionals: [1, MOST_PATHS],
        options: {
          format: { type: 'string', describe: 'auto, jsonl, markdown or json (auto)' },
          namespace: { type: 'string', describe: 'Where all of it goes to (an export: where it was)' },
          'dry-run': { type: 'boolean', describe: 'Only read the files, and say what would be imported' },
          ...more,
        },
        run({ values, positionals }) {
          const asked = {
            paths: positionals,
            format: choiceIn(values, 'format', ['auto', 'jsonl', 'markdown', 'json']) ?? 'auto',
            namespace: textIn(values, 'namespace'),
            json: values.json === true,
          };
          if (values['dry-run'] === true) return importMemories(undefined, asked, place);
          return importMemories(
            (work) => withMemory(values, work, 'Stopped. Run it again to import the rest.'),
            asked,
            place,
          );
        },
      },
      export: {
        summary: 'Exports memories, everything by default, to stdout, a file or a folder',
        usage: '[--namespace N] [--format jsonl|markdown] [--out FILE|FOLDER]',
        example: 'sluice memory export --out memories.jsonl',
        options: {
          namespace,
          format: { type: 'string', describe: 'jsonl (everything) or markdown (what is true now, for people) (jsonl)' },
          out: { type: 'string', describe: 'A file; or a folder, for a file each namespace' },
          config: configWithoutGateway,
        },
        run({ values }) {
          const asked = {
            format: choiceIn(values, 'format', ['jsonl', 'markdown']) ?? 'jsonl',
            namespace: textIn(values, 'namespace'),
            out: textIn(values, 'out'),
          } as const;
          return withMemory(values, (call) => exportMemories(call, asked, place), 'Stopped. Nothing was written.');
        },
      },
    },
  };
}

const isOff = () =>
  new AppError(
    'unavailable',
    'memory is off. Remove `memory: false`, or a server that is called memory, from sluice.yaml.',
  );

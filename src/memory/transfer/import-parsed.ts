import { AppError } from '../../kernel/errors.ts';
import { createPace } from '../../kernel/pace.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { Progress } from '../../kernel/progress.ts';
import type { CallContext } from '../../kernel/source.ts';
import { counted } from '../../kernel/some-of.ts';
import type { Namespaces } from '../namespaces/namespaces.ts';
import type { MemoryService } from '../service.ts';
import { batchesOf, inGroups } from './batches.ts';
import { countIn, graphAsMemories } from './graph-as-memories.ts';
import type { Parsed } from './item.ts';
import { withOrigins } from './origins.ts';

/** A batch is stored as a whole or not at all, and others write in between. */
const BATCH = { memories: 200, characters: 300_000 };
const MOST_MEMORIES = 20_000;
const MOST_PROBLEMS = 20;

/** Stores what a file contains, batch by batch. */
export async function importParsed(
  { memories, graph, problems: broken }: Parsed,
  given: {
    readonly memory: Pick<MemoryService, 'add'>;
    readonly namespaces: Namespaces;
    readonly namespace: string | undefined;
    readonly name: string;
    readonly context: CallContext;
    readonly progress: Progress;
  },
) {
  const { memory, namespaces, namespace, name, context, progress } = given;
  const count = memories.length + graph.reduce((sum, line) => sum + countIn(line), 0);
  if (count > MOST_MEMORIES)
    throw new AppError(
      'too_large',
      `This has ${count} memories; the limit is ${MOST_MEMORIES} a call. Nothing was imported. Split it, or use \`sluice memory import\`, which splits files itself.`,
    );
  const pace = createPace();
  const inWords = await graphAsMemories(graph, pace);
  const all = [...memories, ...(await withOrigins(inWords.memories, name, pace))];
  const places = Map.groupBy(all, (one) => namespace ?? one.namespace);
  await checkPlaces([...places.keys()], namespaces, context);

  const done = { imported: 0, known: 0, expired: 0, handled: 0 };
  const names = new Set<string>();
  for (const [place, some] of places) {
    for (const batch of batchesOf(inGroups(some), BATCH)) {
      context.signal.throwIfAborted();
      const { namespace: used, added, known, expired } = await memory.add(batch, place, context);
      names.add(used);
      done.imported += added;
      done.known += known;
      done.expired += expired;
      done.handled += batch.length;
      progress(done.handled, all.length, `${done.handled} of ${all.length} memories`);
    }
  }
  const problems = [...broken, ...inWords.problems];
  const shown = problems
    .slice(0, MOST_PROBLEMS)
    .map(({ reason, ...rest }) => ({ ...rest, reason: reason.slice(0, 200) }));
  return {
    imported: done.imported,
    known: done.known,
    ...(done.expired > 0 && { expired: done.expired }),
    namespaces: [...names],
    ...(problems.length > 0 && { broken: problems.length, problems: shown.slice(0, fittingItems(shown)) }),
    ...(graph.length > 0 && {
      note: `${counted(graph.length, 'line')} of server-memory became memories in words. For the graph use \`sluice memory import\`, or graph_create_entities and graph_create_relations.`,
    }),
  };
}

/** Refuses before anything is stored. New namespaces come last: they are made by this. */
async function checkPlaces(
  places: readonly (string | undefined)[],
  namespaces: Namespaces,
  { principal }: CallContext,
): Promise<void> {
  const known = new Set((await namespaces.all()).map(({ name }) => name));
  const isKnown = (place: string | undefined) => place === undefined || known.has(place);
  for (const place of [...places.filter(isKnown), ...places.filter((one) => !isKnown(one))])
    await namespaces.forWriting(place, principal);
}

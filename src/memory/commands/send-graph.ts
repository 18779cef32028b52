import { AppError } from '../../kernel/errors.ts';
import type { GraphLine } from '../transfer/item.ts';
import type { Call } from './call.ts';

const AT_ONCE = 200;

export interface SentGraph {
  readonly entities: number;
  readonly relations: number;
  readonly problems: readonly string[];
}

/** Sends entities, then relations, to the tools of the graph. Undefined if there is no graph. */
export async function sendGraph(
  call: Call,
  lines: readonly GraphLine[],
  progress: (count: number) => void,
): Promise<SentGraph | undefined> {
  const entities = lines.filter((line) => line.type === 'entity');
  const relations = lines.filter((line) => line.type === 'relation');
  const problems: string[] = [];
  let handled = 0;

  /** Sends some; if they are refused, one by one, so that a wrong one does not keep out the others. */
  async function send(tool: string, key: string, items: readonly object[]): Promise<number> {
    try {
      await call(tool, { [key]: items });
      return items.length;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      if (items.length === 1) {
        problems.push(error.message);
        return 0;
      }
      let sent = 0;
      for (const item of items) sent += await send(tool, key, [item]);
      return sent;
    }
  }

  async function sendAll(tool: string, key: string, items: readonly object[]): Promise<number> {
    let sent = 0;
    for (let from = 0; from < items.length; from += AT_ONCE) {
      const some = items.slice(from, from + AT_ONCE);
      sent += await send(tool, key, some);
      handled += some.length;
      progress(handled);
    }
    return sent;
  }

  try {
    return {
      entities: await sendAll(
        'graph_create_entities',
        'entities',
        entities.map(({ type: _, entityType, ...rest }) => ({ ...rest, type: entityType })),
      ),
      relations: await sendAll(
        'graph_create_relations',
        'relations',
        relations.map(({ type: _, relationType, ...rest }) => ({ ...rest, type: relationType })),
      ),
      problems,
    };
  } catch (error) {
    if (handled === 0 && error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

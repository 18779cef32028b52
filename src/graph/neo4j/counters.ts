import type { ResultSummary } from 'neo4j-driver';
import { counted } from '../../kernel/some-of.ts';

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What a statement changed, such as `nodes_created`; without zeros. */
export function changesIn({ counters }: Pick<ResultSummary, 'counters'>): Map<string, number> {
  const changes = Object.entries(counters.updates()).map(([name, count]): [string, number] => [snakeCase(name), count]);
  return new Map([...changes, ['system_updates', counters.systemUpdates()] as const].filter(([, count]) => count > 0));
}

/** A sentence about what a statement deletes. */
export function deletionsIn(summary: Pick<ResultSummary, 'counters'>): string {
  const changes = changesIn(summary);
  const gone = (
    [
      ['nodes_deleted', 'node'],
      ['relationships_deleted', 'relationship'],
      ['labels_removed', 'label'],
      ['indexes_removed', 'index'],
      ['constraints_removed', 'constraint'],
    ] as const
  ).flatMap(([name, noun]) => (changes.has(name) ? [counted(changes.get(name) ?? 0, noun)] : []));
  const properties = changes.get('properties_set') ?? 0;
  const parts = [
    ...(gone.length > 0 ? [`deletes ${gone.join(', ')}`] : []),
    ...(properties > 0 ? [`sets or removes ${properties === 1 ? '1 property' : `${properties} properties`}`] : []),
  ];
  return parts.length > 0 ? `It ${parts.join(' and ')}.` : 'As things are, it deletes nothing.';
}

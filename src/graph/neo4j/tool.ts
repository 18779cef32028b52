import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { toolsFor } from '../../kernel/tool.ts';
import type { Answer, Neo4j } from './connection.ts';
import { plainMap } from './plain-value.ts';
import { shortened } from './shortened.ts';

/** What the tools with Cypher may use. */
export interface CypherDeps {
  /** Connected on first use. */
  neo4j(): Promise<Neo4j>;
}

export const cypherTool = toolsFor<CypherDeps>({ category: 'graph', tags: ['graph', 'cypher', 'neo4j'] });

export const cypherInput = z.string().min(1).max(100_000);
export const paramsInput = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('Values of $name in the statement, e.g. {"name": "Ada"}');
export const timeoutInput = z.number().positive().max(300).default(30).describe('Seconds');

export const rowsOutput = {
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), z.unknown())),
  truncated: z.string().optional().describe('What was left out, and how to get it'),
};

/** Rows as JSON, as many as fit into a reply. */
export function shownRows({ rows, fields, more }: Pick<Answer<object>, 'rows' | 'fields' | 'more'>) {
  const all = rows.map(plainMap);
  const fit = fittingItems(all, { fields });
  const shown = all.slice(0, fit);
  // The first row is shown in any case, if need be with its texts cut.
  const [first] = shown;
  const short = first && fittingItems([first, ''], { fields }) < 2 ? shortened(first) : first;
  const left = [
    ...(more || fit < all.length ? ['There are more rows: use SKIP and LIMIT.'] : []),
    ...(short === first ? [] : ['Long values are cut: return fewer or smaller properties.']),
  ];
  return {
    columns: [...fields],
    rows: short ? [short, ...shown.slice(1)] : [],
    ...(left.length > 0 && { truncated: left.join(' ') }),
  };
}

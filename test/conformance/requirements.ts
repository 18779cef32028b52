import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

export const requirementSets = ['2025-11-25', '2026-07-28'] as const;
export type RequirementSet = (typeof requirementSets)[number];
export type Leg = 'server' | 'client';

export const suiteFile = (path: string) =>
  fileURLToPath(import.meta.resolve(`@modelcontextprotocol/conformance/${path}`));

const requirementFile = z.object({
  server: z.array(z.string()),
  client: z.array(z.string()),
  not_scored: z.array(z.object({ scenario: z.string(), leg: z.enum(['server', 'client']) })),
});

/** The scenarios of one leg of a set: the scored ones, and those that are run and reported without a score. */
export function requirementsOf(set: RequirementSet, leg: Leg): { scored: string[]; unscored: string[] } {
  const file = requirementFile.parse(parse(readFileSync(suiteFile(`requirements/${set}.yaml`), 'utf8')));
  const unscored = file.not_scored.filter((entry) => entry.leg === leg).map(({ scenario }) => scenario);
  return { scored: file[leg], unscored };
}

import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { checked, checkNames } from '../health/checks.ts';
import { type Finding, type Judgement, severities, worst } from '../health/judgement.ts';
import { sceneOf } from '../health/scene.ts';
import { postgresTool } from '../tool.ts';

type Named = Judgement & { readonly check: string };

/** As many findings as a reply has room for: the gravest of each check first. */
function fitted(all: readonly Named[], severity: string) {
  const frames = all.map(({ check, severity: own, summary }) => ({ check, severity: own, summary }));
  const ranked = all
    .flatMap(({ findings }, at) => findings.map((finding, rank) => ({ at, rank, finding })))
    .sort((a, b) => a.rank - b.rank || severities.indexOf(a.finding.severity) - severities.indexOf(b.finding.severity));
  // Each list of findings has a key and a count of its own.
  const room = frames.map((frame) => ({ ...frame, findings: [], more: 1000 }));
  const shown = ranked.slice(
    0,
    fittingItems(
      ranked.map(({ finding }) => finding),
      { severity, checks: room },
    ),
  );
  return frames.map((frame, at) => {
    const findings: Finding[] = shown.filter((one) => one.at === at).map(({ finding }) => finding);
    const more = (all[at]?.findings.length ?? 0) - findings.length;
    return { ...frame, ...(findings.length > 0 && { findings }), ...(more > 0 && { more }) };
  });
}

export const checkHealth = postgresTool({
  name: 'postgres_check_health',
  title: 'Check the health of the database',
  description:
    'Checks the database as an administrator would: locks, long transactions, connections, vacuum and wraparound, bloat, invalid, duplicate and unused indexes, sequences near their end, replication, cache, checkpoints. Each check has a severity, what it means and the SQL that fixes it. All checks are run unless you name some.',
  phrases:
    'is my database healthy; why is postgres slow; find bloat and unused indexes; check vacuum and wraparound; database health report; who blocks whom',
  guidance: 'If a check says `more`, name that check alone, or a schema, to see the rest.',
  effect: 'read',
  input: z.strictObject({
    checks: z.array(z.enum(checkNames)).min(1).max(checkNames.length).optional().describe('Only these. Default: all'),
    schema: z.string().max(200).optional().describe('Only tables and indexes of this schema'),
  }),
  output: z.object({
    severity: z.enum(severities).describe('The worst of all checks'),
    checks: z.array(
      z.object({
        check: z.enum(checkNames),
        severity: z.enum(severities).describe('unknown: could not be looked at'),
        summary: z.string(),
        findings: z
          .array(
            z.object({
              severity: z.enum(['critical', 'warning']),
              what: z.string(),
              fix: z.string().describe('What to do, mostly SQL'),
            }),
          )
          .optional(),
        more: z.int().optional().describe('How many findings were left out'),
      }),
    ),
  }),
  async run({ checks, schema }, postgres, { signal }) {
    const names = checkNames.filter((name) => checks?.includes(name) ?? true);
    const all = await postgres.read(async (run) => {
      const scene = await sceneOf(run, postgres.schemas, schema);
      const judgements: (Judgement & { check: (typeof checkNames)[number] })[] = [];
      for (const check of names) judgements.push({ check, ...(await checked(check, scene)) });
      return judgements;
    }, signal);
    const severity = worst(all.map((one) => one.severity));
    return { severity, checks: fitted(all, severity) as never };
  },
});

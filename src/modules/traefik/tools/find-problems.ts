import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { entryPointAnswer } from '../answers.ts';
import { configured } from '../configured.ts';
import { maskedText } from '../masked.ts';
import { paged } from '../../paged.ts';
import { problemsIn, protocols } from '../problems.ts';
import { name } from '../shown-elements.ts';
import { cursorInput, cursorOutput, traefikTool } from '../tool.ts';

export const findProblems = traefikTool({
  name: 'traefik_find_problems',
  title: 'Find problems',
  description:
    'What is wrong: errors of Traefik, servers that are down, missing services, middlewares and entry points, TLS on the wrong entry point, routers with the same rule and priority.',
  phrases:
    'what is wrong with traefik; which routers are broken; why is my site down; bad gateway; service unavailable; routers that conflict; misconfigured routes',
  effect: 'read',
  input: z.strictObject({ severity: z.enum(['error', 'warning']).optional(), cursor: cursorInput }),
  output: z.object({
    errors: z.number(),
    warnings: z.number(),
    problems: z.array(
      z.object({
        severity: z.string(),
        protocol: z.string(),
        kind: z.string(),
        name: z.string(),
        problem: z.string(),
        fix: z.string().optional(),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ severity, cursor }, traefik, { signal }, progress) {
    const [entryPoints, ...all] = await Promise.all([
      traefik.all(entryPointAnswer, '/api/entrypoints', { signal, progress }),
      ...protocols.map((protocol) => configured(traefik, protocol, { signal, progress })),
    ]);
    const found = problemsIn(all, entryPoints);
    const count = (one: string) => found.filter((problem) => problem.severity === one).length;
    const counts = { errors: count('error'), warnings: count('warning') };
    const wanted = found.filter((problem) => severity === undefined || problem.severity === severity);
    const { page, next } = paged(
      wanted,
      ({ problem, fix, ...rest }) => ({
        ...rest,
        name: name(rest.name),
        problem: shortened(maskedText(problem), 500),
        ...(fix !== undefined && { fix: shortened(fix, 300) }),
      }),
      { list: 'traefik_find_problems', asked: { severity }, cursor, besides: counts },
    );
    return { ...counts, problems: page, ...next };
  },
});

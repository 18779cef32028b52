import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { namesAnswer } from '../answers.ts';
import { matcherOf } from '../matching.ts';
import { metadataOf } from '../metadata.ts';
import { paged } from '../../paged.ts';
import { cursorInput, cursorOutput, patternInput, prometheusTool, warningsOutput } from '../tool.ts';
import { shownWarnings } from '../warnings.ts';

export const listMetrics = prometheusTool({
  name: 'prometheus_list_metrics',
  title: 'List metrics',
  description:
    'Finds metrics by name or help text, with type and help. A pattern is part of the name, or a glob: http, node_cpu_*.',
  phrases:
    'which metrics are there; find a metric about memory; what can i query; names of metrics; is there a metric for latency; list all counters',
  effect: 'read',
  input: z.strictObject({
    pattern: patternInput.describe('Part of name or help, or a glob for the name'),
    type: z
      .enum(['counter', 'gauge', 'histogram', 'summary', 'info', 'stateset', 'unknown'])
      .optional()
      .describe('Only metrics of this type'),
    cursor: cursorInput,
  }),
  output: z.object({
    total: z.number(),
    metrics: z.array(
      z.object({
        name: z.string(),
        type: z.string().optional(),
        help: z.string().optional(),
        unit: z.string().optional(),
      }),
    ),
    cursor: cursorOutput,
    warnings: warningsOutput,
  }),
  async run({ pattern, type, cursor }, prometheus, { signal }) {
    const [{ data: names, warnings }, about] = await Promise.all([
      prometheus.ask(namesAnswer, '/api/v1/label/__name__/values', { signal }),
      metadataOf(prometheus, signal),
    ]);
    const fits = matcherOf(pattern);
    const isGlob = /[*?]/.test(pattern ?? '');
    const wanted = names.filter((name) => {
      const known = about(name);
      if (type !== undefined && (known?.type ?? 'unknown') !== type) return false;
      return fits(name) || (!isGlob && known !== undefined && fits(known.help));
    });
    const told = shownWarnings(warnings);
    const shown = (name: string) => {
      const known = about(name);
      return {
        name: shortened(name, 300),
        ...(known && { type: shortened(known.type, 50) }),
        ...(known && known.help !== '' && { help: shortened(known.help, 160) }),
        ...(known?.unit && { unit: shortened(known.unit, 50) }),
      };
    };
    const { page, next } = paged(wanted, shown, {
      list: 'prometheus_list_metrics',
      asked: { pattern, type },
      cursor,
      besides: told,
    });
    return { total: wanted.length, metrics: page, ...next, ...told };
  },
});

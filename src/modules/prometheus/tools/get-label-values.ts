import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { namesAnswer } from '../answers.ts';
import { labelPath } from '../label-path.ts';
import { matcherOf } from '../matching.ts';
import { paged } from '../../paged.ts';
import {
  cursorInput,
  cursorOutput,
  listOf,
  matchInput,
  patternInput,
  prometheusTool,
  warningsOutput,
} from '../tool.ts';
import { shownWarnings } from '../warnings.ts';

export const getLabelValues = prometheusTool({
  name: 'prometheus_get_label_values',
  title: 'Get label values',
  description: 'Values of one label, over all series or those that match selectors. Example: {"label": "job"}.',
  phrases:
    'which jobs are there; all instances; values of a label; which namespaces send metrics; list the hosts prometheus knows',
  effect: 'read',
  input: z.strictObject({
    label: z.string().trim().min(1).max(500).describe('Name of the label'),
    match: matchInput.optional(),
    pattern: patternInput.describe('Part of the value, or a glob'),
    cursor: cursorInput,
  }),
  output: z.object({
    total: z.number(),
    values: z.array(z.string()),
    note: z.string().optional(),
    cursor: cursorOutput,
    warnings: warningsOutput,
  }),
  async run({ label, match, pattern, cursor }, prometheus, { signal }) {
    const params = { 'match[]': listOf(match) };
    const { data, warnings } = await prometheus.ask(namesAnswer, labelPath(label), { params, signal });
    const fits = matcherOf(pattern);
    const values = data.filter((value) => fits(value));
    const told = {
      ...shownWarnings(warnings),
      ...(data.length === 0 && { note: 'No series has this label. prometheus_list_labels shows the names.' }),
    };
    const { page, next } = paged(values, (value) => shortened(value, 500), {
      list: 'prometheus_get_label_values',
      asked: { label, match, pattern },
      cursor,
      besides: told,
    });
    return { total: values.length, values: page, ...next, ...told };
  },
});

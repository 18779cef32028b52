import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { namesAnswer } from '../answers.ts';
import { paged } from '../../paged.ts';
import { cursorInput, cursorOutput, listOf, matchInput, prometheusTool, warningsOutput } from '../tool.ts';
import { shownWarnings } from '../warnings.ts';

export const listLabels = prometheusTool({
  name: 'prometheus_list_labels',
  title: 'List labels',
  description: 'Names of the labels of all series, or of those that match selectors.',
  phrases: 'which labels are there; labels of a metric; what can i filter by; what can i group by; label names',
  effect: 'read',
  input: z.strictObject({ match: matchInput.optional(), cursor: cursorInput }),
  output: z.object({
    total: z.number(),
    labels: z.array(z.string()),
    cursor: cursorOutput,
    warnings: warningsOutput,
  }),
  async run({ match, cursor }, prometheus, { signal }) {
    const params = { 'match[]': listOf(match) };
    const { data, warnings } = await prometheus.ask(namesAnswer, '/api/v1/labels', { params, signal });
    const told = shownWarnings(warnings);
    const { page, next } = paged(data, (name) => shortened(name, 300), {
      list: 'prometheus_list_labels',
      asked: { match },
      cursor,
      besides: told,
    });
    return { total: data.length, labels: page, ...next, ...told };
  },
});

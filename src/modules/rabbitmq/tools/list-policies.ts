import { z } from 'zod';
import { map, maybe } from '../api/lenient.ts';
import { sliced } from '../api/pages.ts';
import { inVhost } from '../missing.ts';
import { shownArguments } from '../shown-arguments.ts';
import { cursorInput, limitInput, moreOutput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

const policy = z.object({
  name: z.string(),
  pattern: z.string(),
  'apply-to': maybe(z.string()),
  priority: maybe(z.int()),
  definition: map,
});

const output = z.object({
  name: z.string(),
  operator: z.boolean().optional().describe('Set by an operator: it limits what others set'),
  pattern: z.string().describe('A regex of names'),
  apply_to: z.string(),
  priority: z.int(),
  settings: z.record(z.string(), z.unknown()),
});

export const listPoliciesTool = rabbitmqTool({
  name: 'rabbitmq_list_policies',
  title: 'List policies',
  description:
    'Lists the policies of a vhost: what they set on which queues and exchanges. The highest priority counts.',
  phrases: 'list policies; which policy applies to a queue; message ttl policy; max length policy; dead letter policy',
  effect: 'read',
  input: z.strictObject({ vhost: vhostInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({ policies: z.array(output), ...moreOutput }),
  async run({ cursor, ...asked }, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, asked.vhost);
    const read = async (kind: 'policies' | 'operator-policies') =>
      await rabbit.get(z.array(policy), [kind, vhost], { signal });
    const [own, operators] = await inVhost(rabbit, vhost, signal, () =>
      Promise.all([read('policies'), read('operator-policies').catch(() => [])]),
    );
    const all = [
      ...own.map((one) => ({ ...one, operator: false })),
      ...operators.map((one) => ({ ...one, operator: true })),
    ];
    const { items, ...rest } = sliced({ tool: 'rabbitmq_list_policies', asked, cursor }, all, (one) => ({
      name: one.name,
      ...(one.operator && { operator: true }),
      pattern: one.pattern,
      apply_to: one['apply-to'] ?? 'all',
      priority: one.priority ?? 0,
      settings: shownArguments(one.definition),
    }));
    return { policies: items, ...rest };
  },
});

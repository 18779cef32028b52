import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import { examine } from '../health/examine.ts';
import { sorted, worst } from '../health/judge.ts';
import { rabbitmqTool } from '../tool.ts';

export const checkHealthTool = rabbitmqTool({
  name: 'rabbitmq_check_health',
  title: 'Check the health',
  description:
    'Checks the broker and says what to do: alarms, memory, disk, nodes, partitions, quorum, listeners, long queues, queues that nobody consumes, unacknowledged piles.',
  phrases:
    'is rabbitmq healthy; check the broker; why are publishers blocked; memory alarm; what is wrong with rabbitmq; stuck queues',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    status: z.enum(['ok', 'info', 'warning', 'critical']),
    findings: z.array(
      z.object({
        severity: z.enum(['critical', 'warning', 'info']),
        where: z.string(),
        problem: z.string(),
        action: z.string(),
      }),
    ),
    total: z.int(),
    checked: z.array(z.string()),
    skipped: z.array(z.string()).optional().describe('Could not be checked'),
  }),
  async run(_, rabbit, { signal }) {
    const { findings: found, checked, skipped } = await examine(rabbit, signal);
    const findings = sorted(found).map((one) => ({ ...one, where: shortened(one.where, 300) }));
    const about = { checked, ...(skipped.length > 0 && { skipped: skipped.map((one) => shortened(one, 200)) }) };
    const fit = findings.length === 0 ? 0 : fittingItems(findings, about);
    return { status: worst(findings), findings: findings.slice(0, fit), total: findings.length, ...about };
  },
});

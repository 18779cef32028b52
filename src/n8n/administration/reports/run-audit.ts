import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { oneOf, shown } from '../../../kernel/nearest-names.ts';
import { shorten } from '../../executions/shorten.ts';
import { n8nTool } from '../../tool.ts';
import { cursorOutput, pageOf } from '../page.ts';
import { findingOutput, inShort, type Section, sectionsOf } from './findings.ts';

const NAME = 'n8n_run_audit';
const CATEGORIES = ['credentials', 'database', 'nodes', 'filesystem', 'instance'] as const;
const EXAMPLES = 3;
const DETAILS_BYTES = 700;
const LONGEST_TEXT = 400;

export const runAudit = n8nTool({
  name: NAME,
  title: 'Security audit',
  description:
    'Runs n8n\'s own security audit: unused credentials, SQL injection, risky and community nodes, file access, unprotected webhooks, settings. Shows an overview; with "section", every finding of one.',
  effect: 'read',
  phrases:
    'security audit; is our n8n safe; check n8n for security risks; unprotected webhooks; which credentials are not used; sql injection in workflows; risky nodes; audit report; vulnerabilities of the instance; unused secrets; nodes that access files; security settings of n8n; abandoned workflows; find security problems; harden n8n; penetration check of n8n; how safe is the instance; security check of this n8n; webhooks without authentication; webhooks that anybody can call; security posture; public webhooks that are open; endpoints open to the world; is anything insecure; credentials nobody uses',
  tags: ['audit'],
  input: {
    categories: z.array(z.enum(CATEGORIES)).min(1).optional().describe('Default: all'),
    days_abandoned: z
      .int()
      .min(1)
      .max(3650)
      .optional()
      .describe("After how many days without a run a workflow counts as abandoned. Default: n8n's own"),
    section: z.string().max(100).optional().describe('Show all findings of this section, such as credentials-1'),
    cursor: z.string().optional().describe('From the last answer, with the same arguments'),
  },
  output: z.object({
    sections: z.array(
      z.object({
        section: z.string(),
        risk: z.string(),
        title: z.string(),
        found: z.number().describe('How many findings'),
        examples: z.array(z.string()).optional(),
        description: z.string().optional(),
        recommendation: z.string().optional(),
        details: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
    findings: z.array(findingOutput).optional().describe('Of the section you asked for'),
    cursor: cursorOutput,
  }),
  async run({ categories, days_abandoned, section: wanted, cursor }, { client }, { signal }) {
    const given = {
      ...(categories && { categories }),
      ...(days_abandoned && { daysAbandonedWorkflow: days_abandoned }),
    };
    const sections = sectionsOf(await client.reports.audit(given, signal));
    const asked = { instance: client.name, ...given, section: wanted };
    if (wanted === undefined) {
      const { items, ...rest } = pageOf(NAME, asked, sections.map(overview), { cursor });
      return { sections: items, ...rest };
    }
    const section = sections.find((one) => one.section === wanted);
    if (!section) {
      const known = sections.map((one) => one.section);
      throw new AppError(
        'not_found',
        `The audit has no section ${shown(wanted)}. ${known.length > 0 ? `It has ${oneOf(known)}.` : 'It found nothing.'}`,
      );
    }
    const head = { sections: [inFull(section)] };
    const { items, ...rest } = pageOf(NAME, asked, section.findings, { cursor }, head);
    return { ...head, findings: items, ...rest };
  },
});

const overview = ({ section, risk, title, findings, details }: Section) => ({
  section,
  risk,
  title,
  found: findings.length,
  ...(findings.length > 0 && { examples: findings.slice(0, EXAMPLES).map(inShort) }),
  ...shortDetails(details),
});

const inFull = ({ section, risk, title, findings, details, description, recommendation }: Section) => ({
  section,
  risk,
  title,
  found: findings.length,
  ...shortDetails(details),
  description: shown(description, LONGEST_TEXT),
  recommendation: shown(recommendation, LONGEST_TEXT),
});

function shortDetails(details: Section['details']) {
  if (Object.keys(details).length === 0) return {};
  const { value } = shorten(details, DETAILS_BYTES);
  return { details: typeof value === 'object' ? (value as Record<string, unknown>) : { shortened: value } };
}

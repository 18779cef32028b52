import { z } from 'zod';
import type { AnyTool } from '../../kernel/tool.ts';
import { purposes } from '../../validation/finding.ts';
import type { RuleGroup } from '../../validation/rule.ts';
import { type N8nDeps, n8nTool } from '../tool.ts';
import { catalogueOf, catalogueShape, countsShape, findingShape, pageOfFindings } from './finding-shape.ts';
import { usualSettings } from './settings.ts';
import { aboutSubject, chosenWorkflow, purposeInput, subjectInput } from './subject-input.ts';

const output = z.object({
  valid: z.boolean().describe('No errors were found'),
  purpose: z.enum(purposes),
  workflow: z.object({ id: z.string(), name: z.string() }).optional().describe('With "id"'),
  counts: countsShape.describe('All findings'),
  findings: z.array(findingShape).describe('Errors first'),
  cursor: z.string().optional().describe('There are more'),
  catalogue: catalogueShape,
  notes: z.array(z.string()).optional().describe('What could not be compared'),
});

interface About {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly guidance?: string;
  readonly phrases: string;
  /** Default: all. */
  readonly groups?: readonly RuleGroup[];
  readonly example: { readonly title: string; readonly arguments: Record<string, unknown> };
}

/** Defines a tool that validates a workflow with all or some of the rules. */
export function judgingTool({ name, title, description, guidance, phrases, groups, example }: About): AnyTool<N8nDeps> {
  return n8nTool({
    name,
    title,
    description,
    effect: 'read',
    phrases,
    tags: ['validation'],
    ...(guidance !== undefined && { guidance }),
    takesMore: true,
    reads: aboutSubject,
    input: {
      ...subjectInput,
      purpose: purposeInput,
      limit: z.int().min(1).max(500).optional().describe('Maximum findings per page. Default: what fits into 8 KB'),
      cursor: z.string().optional().describe('From the last answer, with the same arguments'),
    },
    output,
    examples: [example],
    async run({ limit, cursor, purpose = 'run', ...given }, deps, { signal }) {
      const [{ validateWorkflow }, { withoutExportedKeys }] = await Promise.all([
        import('../../validation/validate.ts'),
        import('../../validation/structure/exported-keys.ts'),
      ]);
      const { catalogue, document, saved, world, notes, asked } = await chosenWorkflow(
        { ...given, purpose },
        deps,
        signal,
      );
      const { rules } = deps.validation?.() ?? usualSettings;
      // n8n's API refuses some keys that n8n exports. n8n_create_workflow and n8n_update_workflow drop them, so ignore them.
      const { document: judged, dropped } =
        purpose === 'save' && !saved ? withoutExportedKeys(document) : { document, dropped: [] };
      const said = [
        ...notes,
        ...(dropped.length > 0 ? [`Ignored, because saving drops it: ${dropped.join(', ')}.`] : []),
      ];
      const { valid, counts, findings } = validateWorkflow(judged, catalogue, {
        purpose,
        world,
        rules,
        only: groups,
      });
      const head = {
        valid,
        purpose,
        ...(saved && { workflow: { id: saved.id, name: saved.name } }),
        counts,
        catalogue: catalogueOf(catalogue),
        ...(said.length > 0 && { notes: said }),
      };
      return { ...head, ...pageOfFindings(name, asked, findings, { cursor, limit, besides: head }) };
    },
  });
}

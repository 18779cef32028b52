import { z } from 'zod';
import { type Finding, purposes } from '../../validation/finding.ts';
import { isRecord } from '../../validation/json/record.ts';
import { instanceInput } from '../instance-input.ts';
import { n8nTool } from '../tool.ts';
import { catalogueOf, catalogueShape, countsShape, findingShape, pageOfFindings } from './finding-shape.ts';
import { loneNode } from './lone-node.ts';
import { usualSettings } from './settings.ts';
import { chosenWorkflow, purposeInput } from './subject-input.ts';

const NAME = 'n8n_validate_node';

export const validateNode = n8nTool({
  name: NAME,
  title: 'Validate node',
  description:
    'Checks one node before you put it into a workflow: type, version, parameters, expressions, credentials. Assumes that other nodes in its expressions exist.',
  effect: 'read',
  phrases:
    'check one node; is this node configured correctly; validate the parameters of a node; check a node before adding it; is the node complete; is a single node valid; required parameters missing in a node; check the settings of one node; did i configure the node right; is this node json valid; verify a node; are the parameters of this node okay; check a single step; wrong parameter in a node; does this node definition hold water; is this node fine; check my node json; are the values of the node allowed; i built a node, is it right; would n8n accept this node; single node check; are these node settings acceptable; check node; node parameters right; verify one step; test a node definition; does this node lack something; is my node ok',
  tags: ['validation', 'nodes'],
  guidance: 'get_node_details says how to set one up; n8n_validate_workflow checks it in its workflow.',
  input: {
    instance: instanceInput,
    node: z
      .unknown()
      .meta({ anyOf: [{ type: 'object' }, { type: 'string', description: 'The same as JSON text' }] })
      .describe('The node as in a workflow: type, typeVersion, parameters, credentials and so on'),
    purpose: purposeInput,
    limit: z.int().min(1).max(500).optional().describe('Maximum findings per page. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same arguments'),
  },
  output: z.object({
    valid: z.boolean().describe('No errors were found'),
    purpose: z.enum(purposes),
    counts: countsShape,
    findings: z.array(findingShape).describe('Errors first; paths are relative to the node'),
    cursor: z.string().optional().describe('There are more'),
    catalogue: catalogueShape,
    notes: z.array(z.string()).optional().describe('What could not be compared'),
  }),
  examples: [
    {
      title: 'A message to Slack',
      arguments: {
        node: {
          type: 'n8n-nodes-base.slack',
          typeVersion: 2.3,
          parameters: { resource: 'message', operation: 'post', text: 'Hello' },
        },
      },
    },
  ],
  async run({ instance, node: given, purpose = 'run', limit, cursor }, deps, { signal }) {
    const { validateWorkflow } = await import('../../validation/validate.ts');
    const node = parsed(given);
    const workflow = isRecord(node) ? loneNode(node) : { nodes: [node ?? null] };
    const { catalogue, world, notes, asked } = await chosenWorkflow({ instance, purpose, workflow }, deps, signal);
    const { rules } = deps.validation?.() ?? usualSettings;
    const judged = validateWorkflow(workflow, catalogue, {
      purpose,
      world,
      rules,
      only: ['structure', 'parameters', 'expressions', 'credentials'],
    });
    const findings = judged.findings.flatMap((finding) =>
      /^\/nodes\/0(\/|$)/.test(finding.path) ? [intoNode(finding)] : [],
    );
    const counts = { error: 0, warning: 0, info: 0 };
    for (const { severity } of findings) counts[severity]++;
    const head = {
      valid: counts.error === 0,
      purpose,
      counts,
      catalogue: catalogueOf(catalogue),
      ...(notes.length > 0 && { notes: [...notes] }),
    };
    return { ...head, ...pageOfFindings(NAME, asked, findings, { cursor, limit, besides: head }) };
  },
});

function parsed(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}

const inNode = (path: string) => path.replace(/^\/nodes\/0/, '');

/** Makes paths in the workflow relative to the node. */
function intoNode(finding: Finding): Finding {
  const { path, fix } = finding;
  return {
    ...finding,
    path: inNode(path),
    ...(fix && { fix: { ...fix, patch: fix.patch.map((one) => ({ ...one, path: inNode(one.path) })) } }),
  };
}

import type { Catalogue } from '../src/nodes/catalogue.ts';
import { validateWorkflow } from '../src/validation/validate.ts';
import { median } from './statistics.ts';
import type { StdioServer } from './stdio-client.ts';
import { workflowOf } from './validation-workflows.ts';

/** A workflow of this many nodes, validated once per round by each side. */
export interface SizeFigures {
  readonly nodes: number;
  /** In the process, in milliseconds. */
  readonly inside: number[];
  /** Over MCP on stdin and stdout, in milliseconds. */
  readonly ours: number[];
  readonly peer: number[];
  /** Bytes of the replies; `oursOfFaults` is for the same workflow with a fault in every fifth node. */
  readonly replies: { ours: number; peer: number; oursOfFaults: number };
  /** What each side says about a valid workflow; anything but "valid" is a false alarm. */
  readonly verdicts: { ours: string; peer: string };
}

const sizes = [5, 50, 300, 2000] as const;

export async function measureSizes(
  catalogue: Catalogue,
  ours: StdioServer,
  peer: StdioServer,
  rounds: number,
  say: (line: string) => void,
): Promise<SizeFigures[]> {
  const workflows = sizes.map((nodes) => workflowOf(nodes));
  // Warm up: compile the code and read the descriptions, as for every later call.
  for (let turn = 0; turn < 20; turn++) validateWorkflow(workflows[1], catalogue);
  const askOurs = (workflow: object) => ours.call('n8n_validate_workflow', { workflow });
  const askPeer = (workflow: object) => peer.call('validate_workflow', { workflow });
  for (let turn = 0; turn < 5; turn++) {
    await askOurs(workflows[1] as object);
    await askPeer(workflows[1] as object);
  }
  const figures: SizeFigures[] = [];
  for (const [index, nodes] of sizes.entries()) {
    const workflow = workflows[index] as ReturnType<typeof workflowOf>;
    const one: SizeFigures = {
      nodes,
      inside: [],
      ours: [],
      peer: [],
      replies: { ours: 0, peer: 0, oursOfFaults: (await askOurs(withFaults(workflow))).length },
      verdicts: { ours: '', peer: '' },
    };
    for (let round = 0; round < rounds; round++) {
      say(`validation: ${nodes} nodes, round ${round + 1} of ${rounds}`);
      one.inside.push(inside(() => validateWorkflow(workflow, catalogue)));
      const mine = await timed(() => askOurs(workflow));
      const theirs = await timed(() => askPeer(workflow));
      one.ours.push(mine.ms);
      one.peer.push(theirs.ms);
      Object.assign(one.replies, { ours: mine.text.length, peer: theirs.text.length });
      Object.assign(one.verdicts, { ours: verdictOf(mine.text), peer: verdictOf(theirs.text) });
    }
    figures.push(one);
  }
  return figures;
}

/** The best of a few, because other load on the machine only adds time. */
function inside(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times);
}

function withFaults(workflow: ReturnType<typeof workflowOf>): object {
  const nodes = workflow.nodes.map((node) =>
    node.type.endsWith('.httpRequest') ? { ...node, parameters: { ...node.parameters, url: '' } } : node,
  );
  return { ...workflow, nodes };
}

async function timed(ask: () => Promise<string>): Promise<{ ms: number; text: string }> {
  const began = performance.now();
  const text = await ask();
  return { ms: performance.now() - began, text };
}

function verdictOf(text: string): string {
  return (JSON.parse(text) as { valid?: boolean }).valid === true ? 'valid' : 'broken';
}

export function sizeTable(figures: readonly SizeFigures[], peer: string): string {
  const ms = (values: readonly number[]) => median(values).toFixed(median(values) < 10 ? 1 : 0);
  const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);
  return [
    `| nodes | Sluice, inside, ms | a node, µs | Sluice over MCP, ms | ${peer} over MCP, ms | times faster | reply KB | with faults, KB | ${peer}, KB | verdicts |`,
    '| --: | --: | --: | --: | --: | --: | --: | --: | --: | --- |',
    ...figures.map(({ nodes, inside, ours, peer: theirs, replies, verdicts }) =>
      [
        '',
        nodes,
        ms(inside),
        ((median(inside) * 1000) / nodes).toFixed(0),
        ms(ours),
        ms(theirs),
        `${median(theirs.map((one, round) => one / (ours[round] ?? Number.NaN))).toFixed(1)} x`,
        kilobytes(replies.ours),
        kilobytes(replies.oursOfFaults),
        kilobytes(replies.peer),
        `${verdicts.ours} / ${verdicts.peer}`,
        '',
      ]
        .join(' | ')
        .trim(),
    ),
  ].join('\n');
}

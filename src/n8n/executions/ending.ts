import { knownOutputs, type KnownOutputs, type Output, outputsOf } from './outputs.ts';
import { type NodeRun, type RanNode, type RunData, sourcesOf } from './run-data.ts';

/** Where a run ended: the last node with output. Error branches count only if nothing took another branch. */
export interface Ending {
  readonly node: string;
  readonly outputs: readonly Output[];
  /** The output where it ended. */
  readonly way: Output;
  /** The nodes that ran after it and had no output. */
  readonly after: readonly { readonly node: string; readonly discarded: number }[];
}

interface Step {
  readonly node: string;
  readonly run: NodeRun;
  readonly order: number;
  readonly outputs: readonly Output[];
  /** All of its input came from an error branch. */
  rescuing: boolean;
  readonly followers: { readonly step: Step; readonly output: number }[];
}

/** Undefined if no node had output. */
export function endingOf(
  run: RunData,
  nodes: ReadonlyMap<string, RanNode>,
  known: KnownOutputs = knownOutputs(),
): Ending | undefined {
  const steps = stepsOf(run, nodes, known);
  const at = new Map(steps.map((step) => [step.run, step]));
  for (const step of steps) {
    const from = sourcesOf(run, step.run).flatMap(({ run: ran, output }) => {
      const before = at.get(ran);
      return before ? [{ before, output }] : [];
    });
    for (const { before, output } of from) before.followers.push({ step, output });
    step.rescuing =
      from.length > 0 && from.every(({ before, output }) => before.rescuing || isError(before.outputs[output]));
  }
  const after = (step: Step, { index }: Output) =>
    step.followers.filter(({ output }) => output === index).map((one) => one.step);
  const ends = steps.flatMap((step) =>
    step.outputs
      .filter((output) => leads(output) && !after(step, output).some((next) => next.outputs.some(leads)))
      .map((output) => ({ step, output, rescuing: step.rescuing || isError(output) })),
  );
  const own = ends.filter(({ rescuing }) => !rescuing);
  const last = (own.length > 0 ? own : ends).reduce<(typeof ends)[number] | undefined>(
    (best, one) => (best && best.step.order >= one.step.order ? best : one),
    undefined,
  );
  if (!last) return undefined;
  const { step, output } = last;
  return {
    node: step.node,
    outputs: step.outputs,
    way: output,
    after: after(step, output).map((next) => ({
      node: next.node,
      discarded: next.outputs.reduce((sum, { kind, items }) => sum + (kind === 'discarded' ? items.length : 0), 0),
    })),
  };
}

/** Every run of every node, in order. Leaves out sub-nodes, which pass on no items. */
function stepsOf({ nodes: ran }: RunData, nodes: ReadonlyMap<string, RanNode>, known: KnownOutputs): Step[] {
  return Object.entries(ran)
    .flatMap(([node, runs]) =>
      runs
        .filter(({ data }) => data?.main)
        .map(
          (run): Step => ({
            node,
            run,
            order: run.executionIndex ?? run.startTime ?? 0,
            outputs: outputsOf(run, nodes.get(node), known),
            rescuing: false,
            followers: [],
          }),
        ),
    )
    .sort((a, b) => a.order - b.order);
}

const isError = (output: Output | undefined): boolean => output?.kind === 'error';

/** Whether it has items that another node can receive. */
const leads = ({ kind, items }: Output): boolean => kind !== 'discarded' && items.length > 0;

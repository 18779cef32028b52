import { addressProblem } from './check-webhooks.ts';
import type { Path } from './finding.ts';
import type { Report } from './report.ts';
import type { Definition, Work } from './shape.ts';
import { toolFor } from './tool-for.ts';
import type { World } from './world.ts';

/** There is an n8n for workflows, and for webhooks that are named by their path. */
export function checkN8n({ steps, wants }: Definition, world: World, report: Report): void {
  const isWanted = wants.includes('n8n') && !world.sources().has('n8n');
  for (const [index, { work, undo, when }] of steps.entries()) {
    if (isWanted && when !== undefined) continue;
    const path: Path = ['steps', index];
    checkWork(work, path, world, report);
    if (undo) checkWork(undo, [...path, 'undo'], world, report);
  }
}

function checkWork(work: Work, path: Path, world: World, report: Report): void {
  if (work.kind !== 'workflow' && work.kind !== 'webhook') return;
  if (work.kind === 'webhook' && addressProblem(work)) return;
  const tool = toolFor(work);
  if (tool === undefined || world.tool(tool)) return;
  const fix = world.absence?.(tool) ?? 'Connect an n8n, for example with `sluice n8n up`.';
  report.error([...path, work.kind], 'needs an n8n that can do it, and there is none now', fix);
}

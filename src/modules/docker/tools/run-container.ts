import { z } from 'zod';
import { segment } from '../../http.ts';
import { AppError } from '../../../kernel/errors.ts';
import { checkRun } from '../check-run.ts';
import { containerToChange, inspectContainer, stateOf } from '../containers.ts';
import type { Docker } from '../connection.ts';
import { pieces } from '../frames.ts';
import { limitedTo } from '../limited-to.ts';
import { type Output, outputCollector } from '../output.ts';
import { patience } from '../patience.ts';
import { bodyOf, runInput } from '../run-body.ts';
import { created, waited } from '../shapes.ts';
import { dockerTool, EXEC_SCOPE } from '../tool.ts';

const MOST_READ = 16 * 1024 * 1024;

export const runContainer = dockerTool({
  name: 'docker_run_container',
  title: 'Run a new container',
  description:
    'Makes a container from an image on the host and starts it. With wait it returns the exit code and output. Only what these arguments offer is possible: no privileges, devices or namespaces of the host, and only mounts, volumes and networks that sluice.yaml lists.',
  phrases:
    'docker run; start a new container from an image; run a one-off job; run a command in a fresh container; deploy a container',
  effect: 'execute',
  scope: EXEC_SCOPE,
  input: z.strictObject({
    image: z.string().min(1).max(400).describe('E.g. nginx:1.27; pull it first'),
    ...runInput,
    wait: z.boolean().default(false).describe('Until it ends, and return its output'),
    remove: z.boolean().default(false).describe('Remove it when it has ended'),
  }),
  output: z.object({
    container: z.string(),
    id: z.string(),
    state: z.string(),
    exit_code: z.int().optional(),
    stdout: z.string().optional(),
    stderr: z.string().optional(),
    removed: z.boolean().optional(),
    note: z.string().optional(),
  }),
  examples: [
    {
      title: 'A job',
      arguments: { name: 'job-1', image: 'alpine:3', command: ['sh', '-c', 'date'], wait: true, remove: true },
    },
  ],
  async run({ wait, remove, ...input }, docker, { signal }) {
    if (remove && input.restart !== 'no')
      throw new AppError(
        'invalid_input',
        'A container that restarts cannot be removed when it ends: leave out remove or restart.',
      );
    const checked = await checkRun(docker, { ...input, autoRemove: remove && !wait }, signal);
    const { Id, Warnings } = await docker.ask(created, `/containers/create`, {
      method: 'POST',
      query: { name: input.name },
      body: bodyOf(input, checked),
      signal,
    });
    const path = `/containers/${segment(Id)}`;
    try {
      // What was made is looked at once more: labels and mounts of its image count, too.
      await containerToChange(docker, Id, signal);
      await docker.act(`${path}/start`, { signal });
    } catch (error) {
      // One that cannot start is of no use, and its name would be taken.
      await docker.act(path, { method: 'DELETE', query: { force: true, v: true }, signal }).catch(() => {});
      throw error;
    }
    const about = { container: input.name, id: Id.slice(0, 12) };
    const warnings = Warnings.slice(0, 3).map((one) => one.slice(0, 200));
    if (!wait) {
      const state = await stateAfter(docker, Id, signal);
      return { ...about, state, ...(warnings.length > 0 && { note: warnings.join(' ') }) };
    }
    const patient = patience(signal, docker.timeoutMs, undefined);
    let code: number | undefined;
    try {
      code = (await docker.ask(waited, `${path}/wait`, { method: 'POST', signal: patient.signal })).StatusCode;
    } catch (error) {
      if (!patient.isOver()) throw error;
    }
    const { stdout, stderr } = await outputOf(docker, Id, signal);
    const isRemoved = remove && code !== undefined;
    const state = isRemoved ? 'exited' : await stateAfter(docker, Id, signal);
    if (isRemoved) await docker.act(path, { method: 'DELETE', query: { v: true }, signal });
    return {
      ...about,
      state,
      ...(code !== undefined && { exit_code: code }),
      stdout,
      stderr,
      ...(isRemoved && { removed: true }),
      ...(code === undefined && {
        note: `It had not ended after ${patient.seconds} s and still runs. docker_get_logs shows what it writes.`,
      }),
    };
  },
});

/** A container that is removed when it ends may be gone already. */
async function stateAfter(docker: Docker, id: string, signal: AbortSignal): Promise<string> {
  try {
    return stateOf(await inspectContainer(docker, id, signal));
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return 'removed';
    throw error;
  }
}

async function outputOf(docker: Docker, id: string, signal: AbortSignal): Promise<Output> {
  const body = await docker.stream(`/containers/${id}/logs`, { query: { stdout: true, stderr: true }, signal });
  const collected = outputCollector();
  for await (const piece of pieces(limitedTo(body, MOST_READ).bytes, false)) collected.add(piece);
  return collected.output();
}

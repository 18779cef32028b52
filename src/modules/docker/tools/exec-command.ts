import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { containerToChange, type Found } from '../containers.ts';
import type { Docker } from '../connection.ts';
import { pieces } from '../frames.ts';
import { canReplace, showsSocket } from '../host-paths.ts';
import { limitedTo } from '../limited-to.ts';
import { outputCollector } from '../output.ts';
import { patience } from '../patience.ts';
import type { Reach } from '../reach.ts';
import { created, executed } from '../shapes.ts';
import { containerInput, dockerTool, EXEC_SCOPE } from '../tool.ts';

const MOST_READ = 16 * 1024 * 1024;

export const execCommand = dockerTool({
  name: 'docker_exec_command',
  title: 'Run a command in a container',
  description:
    'Runs a command in a running container and returns its exit code and the end of its output. The command is a list of words and no shell reads it: ["nginx", "-t"], or ["sh", "-c", "ls | wc -l"] for a shell.',
  phrases:
    'docker exec; run a command inside the container; open a shell in the container; execute in container; run migrations in the container',
  effect: 'execute',
  scope: EXEC_SCOPE,
  input: z.strictObject({
    container: containerInput,
    command: z.array(z.string().max(20_000)).min(1).max(200).describe('Words of the command'),
    user: z
      .string()
      .regex(/^[\w.-]{1,64}(?::[\w.-]{1,64})?$/, 'must be a user, or user:group')
      .optional()
      .describe('Instead of the usual user of the container'),
    working_dir: z.string().min(1).max(500).startsWith('/').optional().describe('Where it starts'),
    environment: z
      .record(z.string().regex(/^[A-Za-z_][\w.-]{0,200}$/, 'is not the name of a variable'), z.string().max(30_000))
      .optional()
      .describe('More variables'),
    timeout_seconds: z.int().min(1).max(3600).optional().describe('Stop waiting after this time; the command goes on'),
  }),
  output: z.object({
    container: z.string(),
    exit_code: z.int().optional(),
    stdout: z.string(),
    stderr: z.string(),
    running: z.boolean().optional().describe('It had not ended when waiting stopped'),
    note: z.string().optional(),
  }),
  async run({ container: wanted, command, user, working_dir, environment, timeout_seconds }, docker, { signal }) {
    const found = await containerToChange(docker, wanted, signal);
    needConfined(found, docker.reach);
    const { container } = found;
    const { Id } = await docker.ask(created.pick({ Id: true }), `/containers/${container.id}/exec`, {
      method: 'POST',
      body: {
        Cmd: command,
        AttachStdout: true,
        AttachStderr: true,
        ...(user !== undefined && { User: user }),
        ...(working_dir !== undefined && { WorkingDir: working_dir }),
        ...(environment && { Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`) }),
      },
      signal,
    });
    const wait = patience(signal, docker.timeoutMs, timeout_seconds);
    const collected = outputCollector();
    let isCut = false;
    try {
      const body = await docker.stream(`/exec/${Id}/start`, {
        method: 'POST',
        body: { Detach: false, Tty: false },
        signal: wait.signal,
      });
      const read = limitedTo(body, MOST_READ);
      for await (const piece of pieces(read.bytes, false)) collected.add(piece);
      isCut = read.isCut();
    } catch (error) {
      if (!wait.isOver()) throw error;
    }
    const { stdout, stderr } = collected.output();
    const ended = wait.isOver() || isCut ? undefined : await exitCode(docker, Id, signal);
    return {
      container: container.name,
      ...(ended !== undefined && { exit_code: ended }),
      stdout,
      stderr,
      ...(ended === undefined && {
        running: true,
        note: isCut
          ? 'Stopped reading after 16 MB of output. The command may still run.'
          : `The command had not ended after ${wait.seconds} s and may still run. Ask for it with docker_list_processes.`,
      }),
    };
  },
});

/** Docker may close the output before it knows the exit code. */
async function exitCode(docker: Docker, id: string, signal: AbortSignal): Promise<number | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    const { Running, ExitCode } = await docker.ask(executed, `/exec/${id}/json`, { signal });
    if (!Running && typeof ExitCode === 'number') return ExitCode;
    await delay(50, undefined, { signal });
  }
  return undefined;
}

/** Each of them is enough to leave the container. */
const MIGHTY = /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_MODULE|SYS_RAWIO|DAC_READ_SEARCH)$/i;

/** A command in such a container could do anything to the host, and the allow-list would mean nothing. */
function needConfined(
  { container: { name, state }, details: { HostConfig, Mounts, State } }: Found,
  { mounts, setting }: Reach,
): void {
  if (!State.Running || State.Paused)
    throw new AppError('conflict', `${name} does not run (${state}). Start it first with docker_start_container.`);
  const why = HostConfig?.Privileged
    ? 'is privileged'
    : HostConfig?.PidMode === 'host'
      ? 'shares the processes of the host'
      : HostConfig?.CapAdd.some((one) => MIGHTY.test(one))
        ? 'has capabilities of the host'
        : Mounts.some(({ Type, Source }) => Type !== 'volume' && Source !== '' && showsSocket(Source))
          ? "mounts Docker's socket"
          : mounts.some((folder) => canReplace(Mounts, folder))
            ? `can write to a folder around one that ${setting}.mounts lists, and replace that by a link`
            : undefined;
  if (why === undefined) return;
  throw new AppError(
    'forbidden',
    `${name} ${why}: a command in it could take over the host. Run it with docker exec on the host if you must.`,
  );
}

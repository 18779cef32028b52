import { z } from 'zod';
import { findContainer, inspectContainer, stateOf, timeOr } from '../containers.ts';
import { maskedLabels, maskedText, maskedWords, namesIn } from '../masked.ts';
import { containerInput, dockerTool } from '../tool.ts';
import { fitted } from '../fitted.ts';

export const inspectContainerTool = dockerTool({
  name: 'docker_inspect_container',
  title: 'Inspect a container',
  description:
    'Shows how a container is set up and how it is doing: command, state, exit code, health, mounts, networks, ports, limits, labels. Of its environment only the names of the variables are shown.',
  phrases:
    'inspect a container; why did the container stop; exit code of a container; container configuration; what does it mount; health check of a container; container ip address',
  effect: 'read',
  input: z.strictObject({ container: containerInput }),
  output: z.object({
    name: z.string(),
    id: z.string(),
    image: z.string(),
    created: z.string(),
    command: z.array(z.string()),
    state: z.string(),
    started_at: z.string().optional(),
    finished_at: z.string().optional(),
    exit_code: z.int().optional(),
    error: z.string().optional(),
    out_of_memory: z.boolean().optional().describe('It was killed because it used too much memory'),
    restarts: z.int(),
    restart_policy: z.string().optional(),
    health: z.object({ status: z.string(), failing_streak: z.int(), last_output: z.string().optional() }).optional(),
    user: z.string().optional(),
    working_dir: z.string().optional(),
    privileged: z.boolean().optional(),
    memory_limit_bytes: z.number().optional(),
    cpus: z.number().optional(),
    ports: z.array(z.string()),
    mounts: z.array(z.object({ type: z.string(), source: z.string(), target: z.string(), read_only: z.boolean() })),
    networks: z.array(z.object({ name: z.string(), ip: z.string().optional() })),
    environment: z.array(z.string()).describe('Names of the variables'),
    labels: z.record(z.string(), z.string()),
    left_out: z.array(z.string()).optional().describe('Lists of which only the beginning is shown'),
  }),
  async run({ container: wanted }, docker, { signal }) {
    const container = await findContainer(docker, wanted, signal);
    const details = await inspectContainer(docker, container.id, signal);
    const { State, Config, HostConfig, NetworkSettings } = details;
    const [started, finished] = [timeOr(State.StartedAt), timeOr(State.FinishedAt)];
    const health = State.Health?.Status && State.Health.Status !== 'none' ? State.Health : undefined;
    const output = health?.Log.at(-1)?.Output.trim();
    return fitted({
      name: container.name,
      id: container.id.slice(0, 12),
      image: Config.Image || container.image,
      created: details.Created,
      command: maskedWords([details.Path, ...details.Args].filter((word) => word !== '')),
      state: stateOf(details),
      ...(started !== undefined && { started_at: started }),
      ...(finished !== undefined && { finished_at: finished }),
      ...(!State.Running && State.Status !== 'created' && { exit_code: State.ExitCode }),
      ...(State.Error !== '' && { error: maskedText(State.Error).slice(0, 500) }),
      ...(State.OOMKilled && { out_of_memory: true }),
      restarts: details.RestartCount,
      ...(HostConfig?.RestartPolicy?.Name && { restart_policy: HostConfig.RestartPolicy.Name }),
      ...(health && {
        health: {
          status: health.Status,
          failing_streak: health.FailingStreak,
          ...(output && { last_output: maskedText(output).slice(0, 300) }),
        },
      }),
      ...(Config.User !== '' && { user: Config.User }),
      ...(Config.WorkingDir !== '' && { working_dir: Config.WorkingDir }),
      ...(HostConfig?.Privileged && { privileged: true }),
      ...(HostConfig && HostConfig.Memory > 0 && { memory_limit_bytes: HostConfig.Memory }),
      ...(HostConfig && HostConfig.NanoCpus > 0 && { cpus: HostConfig.NanoCpus / 1e9 }),
      ports: container.ports.slice(),
      mounts: details.Mounts.map(({ Type, Name, Source, Destination, RW }) => ({
        type: Type,
        source: Name || Source,
        target: Destination,
        read_only: RW === false,
      })),
      networks: Object.entries(NetworkSettings?.Networks ?? {}).map(([name, network]) => ({
        name,
        ...(network?.IPAddress && { ip: network.IPAddress }),
      })),
      environment: namesIn(Config.Env),
      labels: maskedLabels(Config.Labels),
    });
  },
});

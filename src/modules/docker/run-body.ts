import { z } from 'zod';

const inside = z
  .string()
  .max(500)
  .regex(/^\/(?!.*(?:^|\/)\.\.(?:\/|$))[^\0:]+$/, 'must be an absolute path without ".." and ":"');

/** What a new container may be. There is no way to ask for more: nothing else reaches Docker. */
export const runInput = {
  name: z
    .string()
    .regex(/^[a-zA-Z0-9][\w.-]{0,127}$/, 'must be letters, digits, _, . and -, and begin with a letter or digit')
    .describe('Of the new container'),
  command: z.array(z.string().max(10_000)).max(200).optional().describe('Words of the command: ["sh", "-c", "ls /"]'),
  entrypoint: z.array(z.string().max(1000)).min(1).max(50).optional().describe("Replaces the image's"),
  environment: z
    .record(z.string().regex(/^[A-Za-z_][\w.-]{0,200}$/, 'is not the name of a variable'), z.string().max(30_000))
    .optional()
    .describe('Variables: {"MODE": "test"}'),
  labels: z.record(z.string().min(1).max(200), z.string().max(2000)).optional().describe('Labels: {"tier": "test"}'),
  user: z
    .string()
    .regex(/^[\w.-]{1,64}(?::[\w.-]{1,64})?$/, 'must be a user, or user:group')
    .optional()
    .describe('User or user:group, instead of the one of the image'),
  working_dir: inside.optional().describe('Where the command starts'),
  mounts: z
    .array(
      z.strictObject({
        source: z.string().min(1).max(1000).describe('Absolute path of the host, or name of a volume'),
        target: inside.describe('Path in the container'),
        read_only: z.boolean().default(true),
      }),
    )
    .max(20)
    .optional()
    .describe('Paths and volumes that sluice.yaml lists'),
  ports: z
    .array(
      z.strictObject({
        container: z.int().min(1).max(65_535),
        host: z.int().min(1).max(65_535),
        protocol: z.enum(['tcp', 'udp']).default('tcp'),
        address: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1').describe('Of the host; 0.0.0.0 for all'),
      }),
    )
    .max(20)
    .optional()
    .describe('Ports of the host that lead to ports of the container'),
  network: z.string().min(1).max(200).optional().describe('bridge, none, or one that sluice.yaml lists'),
  restart: z.enum(['no', 'on-failure', 'unless-stopped', 'always']).default('no'),
  memory_mb: z.int().min(6).max(1_048_576).optional().describe('Most memory, in MB'),
  cpus: z.number().min(0.01).max(1024).optional().describe('Most processors, such as 0.5'),
  read_only: z.boolean().default(false).describe('Its root file system cannot be written'),
};

const asked = z.strictObject(runInput);

export type RunInput = z.output<typeof asked>;

/** What the checks have found in place of names: the image and the paths. */
export interface Checked {
  readonly image: string;
  readonly network: string;
  readonly mounts: readonly {
    readonly type: 'bind' | 'volume';
    readonly source: string;
    readonly target: string;
    readonly readOnly: boolean;
  }[];
  /** Whether Docker removes it when it ends. */
  readonly autoRemove: boolean;
}

/** The body of POST /containers/create, made of these inputs alone. */
export function bodyOf(input: RunInput, { image, network, mounts, autoRemove }: Checked): object {
  const ports = input.ports ?? [];
  const byPort = Map.groupBy(ports, ({ container, protocol }) => `${container}/${protocol}`);
  return {
    Image: image,
    ...(input.command && { Cmd: input.command }),
    ...(input.entrypoint && { Entrypoint: input.entrypoint }),
    Env: Object.entries(input.environment ?? {}).map(([name, value]) => `${name}=${value}`),
    Labels: input.labels ?? {},
    ...(input.user !== undefined && { User: input.user }),
    ...(input.working_dir !== undefined && { WorkingDir: input.working_dir }),
    ExposedPorts: Object.fromEntries([...byPort.keys()].map((port) => [port, {}])),
    HostConfig: {
      NetworkMode: network,
      AutoRemove: autoRemove,
      Privileged: false,
      // A program in it cannot become more than the user it runs as.
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: input.read_only,
      RestartPolicy: { Name: input.restart },
      Mounts: mounts.map(({ type, source, target, readOnly }) => ({
        Type: type,
        Source: source,
        Target: target,
        ReadOnly: readOnly,
      })),
      PortBindings: Object.fromEntries(
        [...byPort].map(([port, all]) => [
          port,
          all.map(({ address, host }) => ({ HostIp: address, HostPort: String(host) })),
        ]),
      ),
      ...(input.memory_mb !== undefined && { Memory: input.memory_mb * 1024 * 1024 }),
      ...(input.cpus !== undefined && { NanoCpus: Math.round(input.cpus * 1e9) }),
    },
  };
}

import { z } from 'zod';

// What the tools use of the answers of Docker and Podman. Both leave fields out, or send null for empty ones.

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '');
const number = z
  .number()
  .nullish()
  .transform((given) => given ?? 0);
const flag = z
  .boolean()
  .nullish()
  .transform((given) => given ?? false);
const texts = z
  .array(z.string())
  .nullish()
  .transform((given) => given ?? []);
const map = z
  .record(
    z.string(),
    z
      .string()
      .nullish()
      .transform((given) => given ?? ''),
  )
  .nullish()
  .transform((given) => given ?? {});
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((given) => given ?? []);

const port = z.object({
  IP: z.string().nullish(),
  PrivatePort: number,
  PublicPort: z.number().nullish(),
  Type: z
    .string()
    .nullish()
    .transform((given) => given ?? 'tcp'),
});

const mount = z.object({
  Type: text,
  Name: z.string().nullish(),
  Source: text,
  Destination: text,
  RW: z.boolean().nullish(),
});

export type Mounted = z.output<typeof mount>;

export const listedContainer = z.object({
  Id: z.string(),
  Names: texts,
  Image: text,
  ImageID: text,
  Command: text,
  Created: number,
  State: text,
  Status: text,
  Labels: map,
  Ports: list(port),
  Mounts: list(mount),
});

export const containerDetails = z.object({
  Id: z.string(),
  Name: text,
  Created: text,
  Path: text,
  Args: texts,
  Image: text,
  RestartCount: number,
  State: z.object({
    Status: text,
    Running: flag,
    Paused: flag,
    Restarting: flag,
    OOMKilled: flag,
    Pid: number,
    ExitCode: number,
    Error: text,
    StartedAt: text,
    FinishedAt: text,
    Health: z
      .object({
        Status: text,
        FailingStreak: number,
        Log: list(z.object({ End: text, ExitCode: number, Output: text })),
      })
      .nullish(),
  }),
  Config: z.object({
    Image: text,
    User: text,
    Tty: flag,
    Env: texts,
    Cmd: texts,
    Entrypoint: z
      .union([z.string().transform((one) => [one]), z.array(z.string())])
      .nullish()
      .transform((given) => given ?? []),
    WorkingDir: text,
    Labels: map,
    Hostname: text,
  }),
  HostConfig: z
    .object({
      NetworkMode: text,
      Privileged: flag,
      PidMode: text,
      CapAdd: texts,
      RestartPolicy: z.object({ Name: text, MaximumRetryCount: number }).nullish(),
      Memory: number,
      NanoCpus: number,
      ReadonlyRootfs: flag,
    })
    .nullish(),
  Mounts: list(mount),
  NetworkSettings: z
    .object({
      Networks: z
        .record(z.string(), z.object({ IPAddress: text, Aliases: texts }).nullish())
        .nullish()
        .transform((given) => given ?? {}),
      Ports: z
        .record(z.string(), list(z.object({ HostIp: text, HostPort: text })))
        .nullish()
        .transform((given) => given ?? {}),
    })
    .nullish(),
});

export type ContainerDetails = z.output<typeof containerDetails>;

const operations = list(z.object({ op: text, value: number }));

const cpu = z
  .object({
    cpu_usage: z.object({ total_usage: number, percpu_usage: z.array(z.number()).nullish() }).nullish(),
    system_cpu_usage: number,
    online_cpus: number,
  })
  .nullish();

export const statistics = z.object({
  read: text,
  cpu_stats: cpu,
  precpu_stats: cpu,
  memory_stats: z.object({ usage: number, limit: number, stats: z.record(z.string(), z.number()).nullish() }).nullish(),
  networks: z.record(z.string(), z.object({ rx_bytes: number, tx_bytes: number })).nullish(),
  blkio_stats: z.object({ io_service_bytes_recursive: operations }).nullish(),
  pids_stats: z.object({ current: number }).nullish(),
});

export type Statistics = z.output<typeof statistics>;

export const processes = z.object({ Titles: texts, Processes: list(z.array(z.string())) });

export const changes = list(z.object({ Path: z.string(), Kind: number }));

export const listedImage = z.object({
  Id: z.string(),
  RepoTags: texts,
  RepoDigests: texts,
  Created: number,
  Size: number,
  Containers: z.number().nullish(),
});

export type ListedImage = z.output<typeof listedImage>;

export const imageDetails = z.object({
  Id: z.string(),
  RepoTags: texts,
  RepoDigests: texts,
  Created: text,
  Size: number,
  Architecture: text,
  Os: text,
  Config: z
    .object({
      User: text,
      Env: texts,
      Cmd: texts,
      Entrypoint: texts,
      WorkingDir: text,
      Labels: map,
      ExposedPorts: z.record(z.string(), z.unknown()).nullish(),
      Volumes: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
  RootFS: z.object({ Layers: texts }).nullish(),
});

export type ImageDetails = z.output<typeof imageDetails>;

export const network = z.object({
  Name: z.string(),
  Id: text,
  Created: text,
  Driver: text,
  Scope: text,
  Internal: flag,
  Attachable: flag,
  EnableIPv6: flag,
  Labels: map,
  IPAM: z.object({ Config: list(z.object({ Subnet: text, Gateway: text })) }).nullish(),
  Containers: z
    .record(z.string(), z.object({ Name: text, IPv4Address: text }))
    .nullish()
    .transform((given) => given ?? {}),
});

export type Network = z.output<typeof network>;

export const volume = z.object({
  Name: z.string(),
  Driver: text,
  Mountpoint: text,
  CreatedAt: text,
  Labels: map,
  Options: map,
  UsageData: z.object({ Size: number, RefCount: number }).nullish(),
});

export type Volume = z.output<typeof volume>;

export const volumes = z.object({ Volumes: list(volume) });

export const event = z.object({
  Type: text,
  Action: text,
  Actor: z.object({ ID: text, Attributes: map }).nullish(),
  time: number,
  timeNano: z.number().nullish(),
});

export type Event = z.output<typeof event>;

export const version = z.object({
  Version: text,
  ApiVersion: text,
  MinAPIVersion: text,
  Os: text,
  Arch: text,
  KernelVersion: text,
  Components: list(z.object({ Name: text, Version: text })),
});

export const info = z.object({
  Name: text,
  ServerVersion: text,
  OperatingSystem: text,
  Architecture: text,
  Driver: text,
  NCPU: number,
  MemTotal: number,
  Containers: number,
  ContainersRunning: number,
  ContainersPaused: number,
  ContainersStopped: number,
  Images: number,
  DockerRootDir: text,
  Swarm: z.object({ LocalNodeState: text }).nullish(),
  Warnings: texts,
});

export const diskUsage = z.object({
  LayersSize: number,
  Images: list(z.object({ Id: text, RepoTags: texts, Size: number, SharedSize: number, Containers: number })),
  Containers: list(z.object({ Id: text, Names: texts, SizeRw: number, State: text, Status: text, Labels: map })),
  Volumes: list(volume),
  BuildCache: list(z.object({ Size: number, InUse: flag, Shared: flag })),
});

export const created = z.object({ Id: z.string(), Warnings: texts });
export const waited = z.object({ StatusCode: z.number() });
export const executed = z.object({ ExitCode: z.number().nullish(), Running: flag });
export const removedImages = list(z.object({ Untagged: z.string().nullish(), Deleted: z.string().nullish() }));

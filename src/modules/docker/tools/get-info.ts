import { z } from 'zod';
import { info } from '../shapes.ts';
import { dockerTool } from '../tool.ts';

export const getInfo = dockerTool({
  name: 'docker_get_info',
  title: 'About this Docker',
  description:
    'Says which Docker or Podman this is, on which host, with how many containers and images, and what it warns about.',
  phrases:
    'docker info; docker version; which docker version; how many containers are running; how much memory does the docker host have',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    engine: z.string(),
    version: z.string(),
    api: z.string(),
    host: z.string(),
    system: z.string(),
    processors: z.int(),
    memory_bytes: z.number(),
    storage_driver: z.string(),
    root: z.string(),
    containers: z.object({ running: z.int(), paused: z.int(), stopped: z.int() }),
    images: z.int(),
    swarm: z.string().optional(),
    warnings: z.array(z.string()),
  }),
  async run(_, docker, { signal }) {
    const said = await docker.ask(info, '/info', { signal });
    const swarm = said.Swarm?.LocalNodeState;
    return {
      engine: docker.engine.name,
      version: docker.engine.version,
      api: docker.engine.api,
      host: said.Name,
      system: `${said.OperatingSystem} ${said.Architecture}`,
      processors: said.NCPU,
      memory_bytes: said.MemTotal,
      storage_driver: said.Driver,
      root: said.DockerRootDir,
      containers: {
        running: said.ContainersRunning,
        paused: said.ContainersPaused,
        stopped: said.ContainersStopped,
      },
      images: said.Images,
      ...(swarm && swarm !== 'inactive' && { swarm }),
      warnings: said.Warnings.slice(0, 10).map((one) => one.slice(0, 200)),
    };
  },
});

import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { shortened } from '../../shown.ts';
import { findContainer } from '../containers.ts';
import { maskedText } from '../masked.ts';
import { page } from '../page.ts';
import { processes } from '../shapes.ts';
import { containerInput, dockerTool, offsetInput } from '../tool.ts';

export const listProcesses = dockerTool({
  name: 'docker_list_processes',
  title: 'List the processes of a container',
  description:
    'Lists the processes in a running container, as `docker top` does. Passwords on command lines are masked.',
  phrases: 'docker top; what runs inside the container; processes in a container; which process uses the cpu',
  effect: 'read',
  input: z.strictObject({ container: containerInput, offset: offsetInput }),
  output: z.object({
    container: z.string(),
    processes: z.array(z.record(z.string(), z.string())),
    total: z.int(),
    next_offset: z.int().optional(),
  }),
  async run({ container: wanted, offset }, docker, { signal }) {
    const container = await findContainer(docker, wanted, signal);
    if (container.state !== 'running')
      throw new AppError('conflict', `${container.name} does not run (${container.state}). Start it first.`);
    // Podman has its own names for columns, and repeats the answer for ever unless told.
    const ps_args =
      docker.engine.name === 'Podman' ? 'user,pid,ppid,pcpu,etime,args' : '-eo user,pid,ppid,pcpu,pmem,etime,args';
    const { Titles, Processes } = await docker.ask(processes, `/containers/${container.id}/top`, {
      query: { ps_args, stream: false },
      signal,
    });
    const titles = Titles.map((title) => title.toLowerCase().replace(/^%/, '') || 'column');
    const all = Processes.map((values) =>
      Object.fromEntries(
        values.map((value, index) => [titles[index] ?? `column ${index}`, shortened(maskedText(value), 300)]),
      ),
    );
    const { items, ...rest } = page(all, offset);
    return { container: container.name, processes: items, ...rest };
  },
});

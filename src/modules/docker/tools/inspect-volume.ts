import { z } from 'zod';
import { fitted } from '../fitted.ts';
import { maskedLabels } from '../masked.ts';
import { dockerTool } from '../tool.ts';
import { usersOf } from '../volume-users.ts';
import { findVolume } from '../volumes.ts';

export const volumeInput = z.string().min(1).max(255).describe('Name of a volume');

export const inspectVolume = dockerTool({
  name: 'docker_inspect_volume',
  title: 'Inspect a volume',
  description: 'Shows a volume: driver, where it is on the host, labels, options, and the containers that mount it.',
  phrases: 'inspect a volume; which container uses this volume; is the volume in use; where is the volume on disk',
  effect: 'read',
  input: z.strictObject({ volume: volumeInput }),
  output: z.object({
    name: z.string(),
    driver: z.string(),
    path: z.string(),
    created: z.string().optional(),
    used_by: z.array(z.string()).describe('Containers'),
    out_of_reach: z.int().optional().describe('Containers that use it and that the allow-list hides'),
    options: z.record(z.string(), z.string()),
    labels: z.record(z.string(), z.string()),
    left_out: z.array(z.string()).optional().describe('Lists of which only the beginning is shown'),
  }),
  async run({ volume: wanted }, docker, { signal }) {
    const volume = await findVolume(docker, wanted, signal);
    const { names, hidden } = await usersOf(docker, volume.Name, signal);
    return fitted({
      name: volume.Name,
      driver: volume.Driver,
      path: volume.Mountpoint,
      ...(volume.CreatedAt !== '' && { created: volume.CreatedAt }),
      used_by: names,
      ...(hidden > 0 && { out_of_reach: hidden }),
      options: maskedLabels(volume.Options),
      labels: maskedLabels(volume.Labels),
    });
  },
});

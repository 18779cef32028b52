import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { explain } from './explain.ts';
import { addressIn } from './place.ts';
import { dockerSettings, placeOf } from './settings.ts';

export default module({
  name: 'docker',
  description: 'Docker: containers, logs, stats, run, exec, images, networks, volumes, Compose',
  settings: dockerSettings,
  writesNeed: ['containers'],
  address: (settings) => addressIn(placeOf(settings)),
  tools: async () => (await import('./tools.ts')).dockerTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => await (await import('./connection.ts')).connectDocker(settings, around),
  check: async (docker, signal) => await (await import('./check.ts')).checkDocker(docker, signal),
  explain,
});

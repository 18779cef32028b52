import type { Kuma } from './connection.ts';
import { monitorsOf, stateOf } from './monitors.ts';
import { plural } from './tool.ts';

/** Such as `Uptime Kuma 2.5.3, 12 monitors, 1 down`. */
export function check(kuma: Kuma): string {
  const monitors = monitorsOf(kuma);
  const down = monitors.filter((monitor) => stateOf(monitor, kuma.pushed) === 'down').length;
  return `Uptime Kuma ${kuma.pushed.version ?? '(unknown version)'}, ${plural(monitors.length, 'monitor')}, ${down} down`;
}

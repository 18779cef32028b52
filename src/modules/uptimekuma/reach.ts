import { AppError } from '../../kernel/errors.ts';
import { allowed } from '../allowed.ts';
import type { Monitor } from './answers.ts';

type Named = Pick<Monitor, 'id' | 'name'>;

/** The monitors that a section allows, by name or id. */
export interface Reach {
  has(monitor: Named): boolean;
  need(monitor: Named): void;
  /** For a name that a monitor shall get: ids do not count. */
  needName(name: string): void;
  /** For what concerns all monitors of a group or a page: all of them must be in reach. */
  needAll(monitors: readonly Named[], what: string): void;
}

export function monitorsInReach(list: readonly string[] | undefined, setting: string): Reach {
  const names = allowed(list, 'monitor', setting);
  const ids = new Set(list?.filter((one) => /^\d+$/.test(one)));
  const has = ({ id, name }: Named) => names.has(name) || ids.has(String(id));
  return {
    has,
    need(monitor) {
      if (!has(monitor)) names.need(monitor.name);
    },
    needName: (name) => names.need(name),
    needAll(monitors, what) {
      const outside = monitors.filter((monitor) => !has(monitor)).length;
      if (outside === 0) return;
      throw new AppError(
        'forbidden',
        `${what} has ${outside} monitor${outside === 1 ? '' : 's'} out of reach: ${setting} in sluice.yaml allows ${list?.join(', ')}. Nothing was changed.`,
      );
    },
  };
}

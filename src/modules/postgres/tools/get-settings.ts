import { z } from 'zod';
import { globMatcher } from '../../../kernel/glob.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import { masked, readable, relevant, type Setting } from '../health/settings.ts';
import { postgresTool } from '../tool.ts';

const SQL = `SELECT name,
    coalesce(CASE WHEN source = 'session' THEN reset_val ELSE setting END, '') AS value, unit, boot_val AS initial, source,
    pending_restart AS "needsRestart", short_desc AS about
  FROM pg_settings ORDER BY name LIMIT 5000`;

/** Sources that nobody chose: built in, or set by Sluice for its own session. */
const NOT_CHOSEN = new Set(['default', 'override', 'session', 'client']);

const isChanged = ({ value, initial, source }: Setting): boolean => !NOT_CHOSEN.has(source) && value !== initial;

export const getSettings = postgresTool({
  name: 'postgres_get_settings',
  title: 'Get the settings of the server',
  description:
    'Shows the settings of the PostgreSQL server that matter, and those that were changed, with value, default and source. `names` shows others: ["autovacuum*", "work_mem"]. Passwords in them are hidden.',
  phrases:
    'postgresql.conf; server configuration; what is shared_buffers set to; changed settings; show work_mem; which settings need a restart',
  effect: 'read',
  input: z.strictObject({
    names: z.array(z.string().min(1).max(100)).min(1).max(50).optional().describe('Names or globs: ["wal_*"]'),
    changed: z.boolean().optional().describe('Only those that differ from the default'),
  }),
  output: z.object({
    version: z.string(),
    settings: z.array(
      z.object({
        name: z.string(),
        value: z.string(),
        default: z.string().optional().describe('If the value is another'),
        source: z.string().optional().describe('Where it was changed'),
        needs_restart: z.boolean().optional().describe('It was changed, and comes into force with a restart'),
        about: z.string().optional(),
      }),
    ),
    more: z.int().optional().describe('How many were left out: name fewer'),
    note: z.string().optional(),
  }),
  async run({ names, changed }, postgres, { signal }) {
    const { rows, version, seesAll } = await postgres.read(async (run) => {
      const { rows: about } = await run<{ version: string; seesAll: boolean }>(
        `SELECT current_setting('server_version') AS version,
           pg_has_role(current_user, 'pg_read_all_settings', 'USAGE') AS "seesAll"`,
      );
      return { ...(about[0] as { version: string; seesAll: boolean }), rows: (await run<Setting>(SQL)).rows };
    }, signal);
    const isNamed = names ? globMatcher(names) : undefined;
    const wanted = rows.filter((one) => {
      if (changed === true && !isChanged(one)) return false;
      return isNamed ? isNamed(one.name) : isChanged(one) || relevant.includes(one.name);
    });
    const settings = wanted.map((one) => {
      const shown = (value: string) => shortened(masked(one.name, readable(value, one.unit)), 300);
      return {
        name: one.name,
        value: shown(one.value),
        ...(isChanged(one) && { default: shown(one.initial ?? ''), source: one.source }),
        ...(one.needsRestart && { needs_restart: true }),
        ...(names && { about: one.about }),
      };
    });
    const count = fittingItems(settings, { version });
    const note =
      settings.length === 0
        ? 'No setting matches.'
        : seesAll
          ? undefined
          : 'Some settings are hidden from this user. GRANT pg_read_all_settings shows them.';
    return {
      version,
      settings: settings.slice(0, count),
      ...(count < settings.length && { more: settings.length - count }),
      ...(note !== undefined && { note }),
    };
  },
});

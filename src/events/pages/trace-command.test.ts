import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { traceCommand } from './trace-command.ts';

it.each(['0af7651916cd43dd8448eb211c80319c', '-x', "it's; touch owned $(id) `id` & <b>"])(
  'the trace %s is one word of the command',
  (id) => {
    const line = `set -- ${traceCommand(id)}; printf '%s\\0' "$@"`;
    const words = execFileSync('sh', ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1);
    expect(words).toEqual(['sluice', 'events', `--trace=${id}`]);
  },
);

it.each(['a\nb', 'a\u0003rm -rf /\n', 'a\u001b[31m', 'a\u009b1m'])('no command is offered for %j', (id) => {
  expect(traceCommand(id)).toBeUndefined();
});

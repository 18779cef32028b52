import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import { findContainer, inspectContainer } from '../containers.ts';
import { linesOf, pieces, type Stream } from '../frames.ts';
import { lastLines } from '../last-lines.ts';
import { momentBefore, splitTime, unixTime } from '../log-time.ts';
import { limitedTo } from '../limited-to.ts';
import { plainText } from '../plain-text.ts';
import { containerInput, dockerTool } from '../tool.ts';

/** How far back a search looks if nothing says from when on. */
const SEARCHED_LINES = 20_000;
const MOST_READ = 64 * 1024 * 1024;
const LONGEST_LINE = 1000;

interface LogLine {
  readonly text: string;
  readonly stream?: 'stderr';
  readonly time?: string;
}

export const getLogs = dockerTool({
  name: 'docker_get_logs',
  title: 'Read the logs of a container',
  description:
    'Shows the last lines that a container wrote, oldest first, with stderr marked. Narrow it with since, until and grep (plain text). Older lines: pass `earlier` of the answer as until.',
  phrases:
    'show the logs of a container; docker logs; why does the container crash; search the logs for an error; last lines of the log; what did the container print',
  effect: 'read',
  input: z.strictObject({
    container: containerInput,
    tail: z.int().min(1).max(5000).default(100).describe('At most so many lines, from the end'),
    since: z.string().max(60).optional().describe('ISO time, or how long ago: 15m, 2h'),
    until: z.string().max(60).optional().describe('ISO time, or how long ago'),
    grep: z.string().min(1).max(200).optional().describe('Only lines with this text, in any case'),
    stream: z.enum(['both', 'stdout', 'stderr']).default('both'),
    timestamps: z.boolean().default(false).describe('With the time of each line'),
  }),
  output: z.object({
    container: z.string(),
    state: z.string(),
    lines: z.array(
      z.object({
        text: z.string(),
        stream: z.literal('stderr').optional().describe('Without it: stdout'),
        time: z.string().optional(),
      }),
    ),
    earlier: z.string().optional().describe('There are older lines: pass this as until'),
    note: z.string().optional(),
  }),
  async run({ container: wanted, tail, since, until, grep, stream, timestamps }, docker, { signal }) {
    const container = await findContainer(docker, wanted, signal);
    const { Config } = await inspectContainer(docker, container.id, signal);
    // Docker counts the last lines before it drops those after `until`.
    const asked =
      until !== undefined ? 'all' : grep !== undefined ? (since === undefined ? SEARCHED_LINES : 'all') : tail;
    const body = await docker.stream(`/containers/${container.id}/logs`, {
      query: {
        stdout: stream !== 'stderr',
        stderr: stream !== 'stdout',
        timestamps: true,
        tail: asked,
        ...(since !== undefined && { since: unixTime(since) }),
        ...(until !== undefined && { until: unixTime(until) }),
      },
      signal,
    });
    const read = limitedTo(body, MOST_READ);
    const last = lastLines<LogLine>(tail);
    const text = grep?.toLowerCase();
    let count = 0;
    for await (const line of linesOf(pieces(read.bytes, Config.Tty))) {
      count += 1;
      if (text === undefined || line.text.toLowerCase().includes(text)) last.add(logLine(line));
    }
    const lines = last.lines();
    const shown = timestamps ? lines : lines.map(({ time: _, ...line }) => line);
    const fits = shown.length === 0 ? 0 : fittingItems(shown.toReversed(), NOTE_ROOM);
    const first = lines[lines.length - fits];
    const hasOlder = last.dropped || fits < lines.length || (typeof asked === 'number' && count >= asked);
    const notes = [
      ...(fits < lines.length ? [`The last ${fits} of ${lines.length} lines; more do not fit a reply.`] : []),
      ...(grep !== undefined && asked === SEARCHED_LINES && count >= SEARCHED_LINES
        ? [`Searched the last ${SEARCHED_LINES} lines; give since to search from a time on.`]
        : []),
      ...(read.isCut() ? ['Stopped after 64 MB of the log: newer lines are missing. Give a later since.'] : []),
    ];
    return {
      container: container.name,
      state: container.state,
      lines: shown.slice(shown.length - fits),
      ...(hasOlder && first?.time !== undefined && { earlier: momentBefore(first.time) }),
      ...(notes.length > 0 && { note: notes.join(' ') }),
    };
  },
});

const NOTE_ROOM = 'x'.repeat(350);

function logLine({ stream, text: whole }: { stream: Stream; text: string }): LogLine {
  const { time, text } = splitTime(whole);
  return {
    text: shortened(plainText(text), LONGEST_LINE),
    ...(stream === 'stderr' && { stream }),
    ...(time !== undefined && { time }),
  };
}

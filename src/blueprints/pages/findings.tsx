import { State } from '../../console/client/ui/state.tsx';
import type { Finding } from './shapes.ts';

interface Props {
  readonly findings: readonly Finding[];
  readonly more?: number | undefined;
  /** Goes to a line of the text. */
  readonly onLine?: (line: number) => void;
}

/** What is wrong with a definition, where, and how to fix it. */
export function Findings({ findings, more, onLine }: Props) {
  return (
    <ul class="findings" aria-label="Findings">
      {findings.map((finding, index) => (
        <li key={index}>
          <State of={finding.severity} />
          <span>
            {finding.line !== undefined && <Line line={finding.line} onLine={onLine} />}{' '}
            {finding.path !== '' && (
              <code>
                <bdi>{finding.path}</bdi>
              </code>
            )}{' '}
            <bdi>{finding.message}.</bdi>{' '}
            {finding.fix !== undefined && (
              <span class="quiet">
                <bdi>{finding.fix}</bdi>
              </span>
            )}
          </span>
        </li>
      ))}
      {more !== undefined && <li>… and {more} more.</li>}
    </ul>
  );
}

function Line({ line, onLine }: { line: number; onLine: ((line: number) => void) | undefined }) {
  if (!onLine) return <>Line {line}</>;
  return (
    <button type="button" class="plain" onClick={() => onLine(line)}>
      Line {line}
    </button>
  );
}

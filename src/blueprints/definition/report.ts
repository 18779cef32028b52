import { shown } from '../../kernel/nearest-names.ts';
import { type Finding, type Path, pathText } from './finding.ts';

/** Collects findings. Lines are added by whoever has the text. */
export interface Report {
  error(path: Path, message: string, fix: string): void;
  warning(path: Path, message: string, fix: string): void;
}

/** Of each severity: warnings must not keep an error from being reported. */
const MOST_FINDINGS = 200;
/** A message may list names of the definition. */
const LONGEST = 600;

export function createReport(): Report & { readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const said = new Set<string>();
  const add = (severity: Finding['severity']) => {
    let left = MOST_FINDINGS;
    return (path: Path, message: string, fix: string) => {
      const key = `${pathText(path)} ${message}`;
      if (left === 0 || said.has(key)) return;
      left--;
      said.add(key);
      findings.push({ severity, path: pathText(path), message: shown(message, LONGEST), fix: shown(fix, LONGEST) });
    };
  };
  return { findings, error: add('error'), warning: add('warning') };
}

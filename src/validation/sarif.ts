import { createHash } from 'node:crypto';
import type { Finding, Severity } from './finding.ts';
import type { Region } from './json/json-positions.ts';
import type { Rule } from './rule.ts';

/** The findings for one file, or for one workflow of an n8n. */
export interface Judged {
  /** A path relative to the working directory, or the URL of the workflow. */
  readonly uri: string;
  readonly findings: readonly Finding[];
  /** Where a finding is in the file; absent if there is no file. */
  region?(finding: Finding): Region | undefined;
}

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/** The findings as SARIF 2.1.0, which GitHub code scanning and many editors read. */
export function sarifOf(judged: readonly Judged[], rules: readonly Rule[], version: string) {
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const isOfRule = ({ rule }: Finding) => indexes.has(rule);
  const failures = judged.flatMap(({ uri, findings }) =>
    findings.filter((finding) => !isOfRule(finding)).map((finding) => ({ uri, finding })),
  );
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Sluice', version, rules: rules.map(descriptorOf) } },
        columnKind: 'utf16CodeUnits',
        // A failed rule is a problem of the tool, not of the workflow.
        invocations: [
          {
            executionSuccessful: true,
            ...(failures.length > 0 && {
              toolExecutionNotifications: failures.map(({ uri, finding }) => ({
                level: 'warning',
                descriptor: { id: finding.rule },
                message: { text: finding.message },
                locations: [{ physicalLocation: { artifactLocation: { uri } } }],
              })),
            }),
          },
        ],
        results: judged.flatMap((one) =>
          one.findings
            .filter(isOfRule)
            .map((finding) => ({ ...resultOf(finding, one), ruleIndex: indexes.get(finding.rule) })),
        ),
      },
    ],
  };
}

function descriptorOf({ id, group, title, severity }: Rule) {
  return {
    id,
    shortDescription: { text: title },
    defaultConfiguration: {
      level: levels[typeof severity === 'string' ? severity : (severity.run ?? gravest(severity))],
    },
    properties: { group, tags: [group] },
  };
}

function gravest(severity: Partial<Record<string, Severity>>): Severity {
  const given = Object.values(severity);
  return given.includes('error') ? 'error' : given.includes('warning') ? 'warning' : 'info';
}

function resultOf(finding: Finding, { uri, region }: Judged) {
  const { rule, severity, node, path, message, fix } = finding;
  const place = region?.(finding);
  return {
    ruleId: rule,
    level: levels[severity],
    message: { text: node === undefined ? message : `${node}: ${message}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri },
          ...(place && {
            region: {
              startLine: place.start.line,
              startColumn: place.start.column,
              endLine: place.end.line,
              endColumn: place.end.column,
            },
          }),
        },
        logicalLocations: [{ fullyQualifiedName: path, ...(node !== undefined && { name: node }) }],
      },
    ],
    partialFingerprints: { 'sluiceFinding/v1': fingerprint(finding) },
    ...(fix && { properties: { fix } }),
  };
}

/** Stays the same when nodes before it are added or removed. */
function fingerprint({ rule, node, path }: Finding): string {
  const place = node === undefined ? path : path.replace(/^\/nodes\/\d+/, '');
  return createHash('sha256')
    .update(JSON.stringify([rule, node, place]))
    .digest('hex')
    .slice(0, 32);
}

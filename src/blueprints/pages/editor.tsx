import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useEffect, useRef } from 'preact/hooks';
import { call, Failed } from '../../console/client/api.ts';
import { linkTo } from '../../console/client/pages.ts';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { Page } from '../../console/client/ui/page.tsx';
import { Findings } from './findings.tsx';
import type { Finding, Whole } from './shapes.ts';

const EXAMPLE = `name: hello
description: Says how the gateway is doing
steps:
  - id: look
    tool: gateway_status
    arguments: {}
`;

const PAUSE_MS = 700;

interface Checked {
  readonly valid: boolean;
  readonly findings: readonly Finding[];
  readonly more_findings?: number;
}

/** Writes a definition of the store: a new one, or one that was saved before. */
export function Editor({ whole }: { whole?: Whole }) {
  const { route } = useLocation();
  const text = useSignal(whole?.text ?? EXAMPLE);
  const checked = useSignal<Checked | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const area = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    const stop = new AbortController();
    checked.value = undefined;
    const timer = setTimeout(() => void check(text.value, stop.signal), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text.value]);

  async function check(now: string, signal: AbortSignal): Promise<void> {
    try {
      const answer = await call<Checked>('blueprint_validate', { text: now }, { signal });
      if (signal.aborted) return;
      checked.value = answer;
      trouble.value = undefined;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failed)) throw error;
      trouble.value = error.message;
    }
  }

  function goTo(line: number): void {
    const element = area.current;
    if (!element) return;
    const lines = text.value.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    element.focus();
    element.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    element.scrollTop = Math.max(0, line - 5) * (element.scrollHeight / Math.max(1, lines.length));
  }

  async function save(): Promise<void> {
    const question = { title: 'Save this blueprint?', yes: 'Save it' };
    const saved = await callAsking<{ name: string }>('blueprint_save', { text: text.value }, question);
    if (!saved) return;
    say(`${saved.name} is saved.`);
    route(new URL(linkTo('blueprints', [saved.name]), document.baseURI).pathname);
  }

  const back = whole ? linkTo('blueprints', [whole.name]) : linkTo('blueprints');
  return (
    <Page
      title={whole ? <bdi>Edit {whole.name}</bdi> : 'New blueprint'}
      lead="Runs that have begun keep the definition they began with."
      actions={
        <>
          <a class="button" href={back}>
            Leave
          </a>
          <Action kind="main" run={save}>
            Save
          </Action>
        </>
      }
    >
      <label class="field">
        <span>Definition in YAML</span>
        <textarea
          ref={area}
          rows={24}
          spellcheck={false}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      <div role="status">
        {trouble.value !== undefined && <p class="warn">{trouble.value}</p>}
        {checked.value === undefined && trouble.value === undefined && <p class="quiet">Checking …</p>}
        {checked.value?.valid && checked.value.findings.length === 0 && <p>Nothing is wrong with it.</p>}
      </div>
      {checked.value && checked.value.findings.length > 0 && (
        <Findings findings={checked.value.findings} more={checked.value.more_findings} onLine={goTo} />
      )}
    </Page>
  );
}

import { inWords } from '../scope-words.ts';
import { isLiteral, known } from './presets.ts';

/** Scopes, with what they allow on hover. */
export function Scopes({ scopes }: { scopes: readonly string[] }) {
  return (
    <span class="scopes">
      {scopes.map((scope) => (
        <code key={scope} title={`It may ${inWords(scope)}`}>
          {scope}
        </code>
      ))}
    </span>
  );
}

/** Each scope in a sentence. */
export function ScopeList() {
  return (
    <details class="explained">
      <summary>What the scopes allow</summary>
      <dl class="pairs">
        {known.map((scope) => [
          <dt key={`${scope} name`}>
            <code>{scope}</code>
          </dt>,
          <dd key={scope}>{sentence(scope)}</dd>,
        ])}
        <dt>
          <code>n8n:read</code>
        </dt>
        <dd>
          May read with the tools of n8n. The same with <code>:write</code> and <code>:execute</code>, and with every
          other source: <code>github:read</code>, <code>memory:write</code>.
        </dd>
      </dl>
    </details>
  );
}

export const sentence = (scope: string): string =>
  `May ${inWords(scope)}.${isLiteral(scope) ? ' No other scope includes this, except admin.' : ''}`;

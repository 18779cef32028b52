import { signal } from '@preact/signals';

type Theme = 'system' | 'light' | 'dark';
const themes: readonly Theme[] = ['system', 'light', 'dark'];
const KEY = 'sluice.theme';

const theme = signal<Theme>('system');

/** As this browser chose before; else as the system has it. */
export function applyTheme(next?: Theme): void {
  try {
    if (next) localStorage.setItem(KEY, next);
    theme.value = next ?? themes.find((one) => one === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    // A browser may forbid storage.
    theme.value = next ?? 'system';
  }
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}

export function ThemeButton() {
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] as Theme;
  return (
    <button type="button" class="plain" onClick={() => applyTheme(next)} title={`Switch to ${next}`}>
      Colours: {theme.value}
    </button>
  );
}

import type { Output } from '../api.ts'

type Theme = Output<'preferences_get'>['theme']

/** The theme that was shown last, until the session says what the person has chosen. */
export const lastTheme = () => (localStorage.getItem('theme') ?? 'SYSTEM') as Theme

export function applyTheme(theme: Theme) {
  const { dataset } = document.documentElement
  if (theme === 'LIGHT' || theme === 'DARK') dataset.theme = theme.toLowerCase()
  else delete dataset.theme
  localStorage.setItem('theme', theme)
}

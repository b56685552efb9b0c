/** The theme that the person chose; without a choice the system's. */
export function applyTheme() {
  const chosen = localStorage.getItem('theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
}

/** Changes between light and dark. */
export function switchTheme() {
  const { dataset } = document.documentElement
  const dark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  dataset.theme = dark ? 'light' : 'dark'
  localStorage.setItem('theme', dataset.theme)
}

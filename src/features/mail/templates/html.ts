/** Text that is HTML already. */
export type Markup = { markup: string }

export const raw = (markup: string): Markup => ({ markup })

type Value = string | number | Markup | readonly Markup[]

/** HTML with everything put into it escaped, unless it is HTML itself: html`<p>${name}</p>`. */
export const html = (texts: TemplateStringsArray, ...values: Value[]): Markup =>
  raw(texts.map((text, n) => text + (n < values.length ? written(values[n] ?? '') : '')).join(''))

function written(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

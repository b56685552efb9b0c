/** Text that is already markup. A class, so that parsed JSON can never be taken for it. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Content = Markup | string | number | false | null | undefined | readonly Content[]

/** Markup in which all interpolated text is escaped, unless it is markup itself. Attributes need double quotes. */
export const html = (parts: TemplateStringsArray, ...contents: Content[]): Markup =>
  new Markup(parts.reduce((before, part, index) => `${before}${toText(contents[index - 1])}${part}`))

function toText(content: Content): string {
  if (content instanceof Markup) return content.text
  if (content === undefined || content === null || content === false) return ''
  if (typeof content === 'object') return content.map(toText).join('')
  return String(content).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

import { type Content, html } from '../../core/values/html.ts'

/** A sentence in which `words in backticks` become code elements. */
export const withCode = (text: string): Content =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

import { type Content, html } from '../../core/values/html.ts'

/** A sentence with its `words in backticks` set as code. */
export const prose = (text: string): Content =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

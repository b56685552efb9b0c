import { type Content, html, type Markup } from '../../core/values/html.ts'

type Field = {
  /** Of the form it stands in: pages have several forms with fields of the same name. */
  form: string
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  autocomplete: string
  hint?: string | undefined
  minLength?: number
  maxLength?: number
}

/** A field with its name above it, and below it room for what is wrong with it. */
export function field(given: Field): Markup {
  const { form, name, label, type = 'text', autocomplete, hint, minLength, maxLength } = given
  const id = `${form}-${name}`
  const described = hint ? `${id}-hint ${id}-problem` : `${id}-problem`
  const limits = [minLength && html` minlength="${minLength}"`, maxLength && html` maxlength="${maxLength}"`]
  const plainly = name === 'code' && html` autocapitalize="none" spellcheck="false"`
  return html`
<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" aria-describedby="${described}" required${limits}${plainly}${name === 'name' ? '' : html` dir="ltr"`}>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}<p class="problem" id="${id}-problem" hidden></p></div>`
}

type Form = {
  /** Where it is sent as JSON. */
  action: string
  /** What the script does with the answer; without it, it goes to `next`. */
  after?: string
  next?: string
  /** What the script does in place of sending the fields. */
  by?: string
  /** Whether the token that came in the address goes along. */
  token?: boolean
  button: string
  kind?: 'quiet' | 'danger'
  /** A question that is asked first. */
  sure?: string
  fields?: Content
}

/** A form that the script sends as JSON. */
export const form = ({ action, after, next, by, token, button, kind, sure, fields }: Form): Markup => html`
<form method="post" action="${action}"${[
  after && html` data-after="${after}"`,
  next && html` data-next="${next}"`,
  by && html` data-by="${by}"`,
  token && html` data-token`,
  sure && html` data-sure="${sure}"`,
]}>${fields}
<p class="problem" role="alert" hidden></p>
<button${kind && html` class="${kind}"`}>${button}</button>
</form>`

/** What is shown in place of a form, or below it, once it was done. */
export const done = (content: Content): Markup =>
  html`<p class="done" role="status" tabindex="-1" hidden>${content}</p>`

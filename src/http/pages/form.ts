import { type Content, html, type Markup } from '../../core/values/html.ts'

type Field = {
  /** The prefix of the field's id: a page has several forms with fields of the same name. */
  form: string
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  autocomplete: string
  hint?: string | undefined
  minLength?: number
  maxLength?: number
  /** Whether it may be left empty. */
  optional?: boolean
}

/** An input with its label above and its hint and error message below. */
export function field(given: Field): Markup {
  const { form, name, label, type = 'text', autocomplete, hint, minLength, maxLength, optional } = given
  const id = `${form}-${name}`
  const described = hint ? `${id}-hint ${id}-problem` : `${id}-problem`
  const limits = [minLength && html` minlength="${minLength}"`, maxLength && html` maxlength="${maxLength}"`]
  const spelling = name === 'code' && html` autocapitalize="none" spellcheck="false"`
  return html`
<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" aria-describedby="${described}"${!optional && html` required`}${limits}${spelling}${name === 'name' ? '' : html` dir="ltr"`}>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}<p class="problem" id="${id}-problem" hidden></p></div>`
}

type Form = {
  /** The path to which the script sends the fields as JSON. */
  action: string
  /** The name of the function in the script's `after` that handles the answer; by default the script opens `next`. */
  after?: string
  next?: string
  /** The name of the function in the script's `submitBy` that replaces sending the fields. */
  submitBy?: string
  /** Whether the token from the URL is sent with the fields. */
  token?: boolean
  button: string
  kind?: 'quiet' | 'danger'
  /** A question to confirm before the form is sent. */
  confirmation?: string
  fields?: Content
}

/** A form that the script sends as JSON. */
export const form = ({
  action,
  after,
  next,
  submitBy,
  token,
  button,
  kind,
  confirmation,
  fields,
}: Form): Markup => html`
<form method="post" action="${action}"${[
  after && html` data-after="${after}"`,
  next && html` data-next="${next}"`,
  submitBy && html` data-submit-by="${submitBy}"`,
  token && html` data-token`,
  confirmation && html` data-confirm="${confirmation}"`,
]}>${fields}
<p class="problem" role="alert" hidden></p>
<button${kind && html` class="${kind}"`}>${button}</button>
</form>`

/** The same with several paragraphs or a list. */
export const doneSection = (content: Content): Markup =>
  html`<div class="done" role="status" tabindex="-1" hidden>${content}</div>`

/** A message that is shown after the form was sent successfully. */
export const doneMessage = (content: Content): Markup =>
  html`<p class="done" role="status" tabindex="-1" hidden>${content}</p>`

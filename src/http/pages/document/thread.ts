import { formatInstant } from '../../../core/values/format.ts'
import { html, type Markup } from '../../../core/values/html.ts'
import type { Language } from '../../../core/values/language.ts'
import { englishOf } from '../../../countries/countries.ts'
import type { PublicView } from '../../../features/selling/documents/public-page/view.ts'
import { field, form } from '../form.ts'
import type { DocumentPageWords } from './words.ts'

type Conversation = { lang: Language; path: string; view: PublicView; say: DocumentPageWords }

/** The messages about the document, and the forms to send a message and to dispute the document. */
export function conversation({ lang, path, view, say }: Conversation): Markup {
  const { thread, timezone, company } = view
  const english = englishOf(view.country)
  const messages = thread.map(
    ({ type, by, name, message, createdAt }) =>
      html`<li class="${by === 'COMPANY' ? 'company-said' : 'customer-said'}"><p class="who"><strong><bdi>${by === 'COMPANY' ? company.name : (name ?? say.customer)}</bdi></strong> <span class="soft">${say.said[type]} · <time datetime="${createdAt}">${formatInstant(lang, createdAt, timezone, english)}</time></span></p>${message && html`<p class="what" dir="auto">${message}</p>`}</li>`,
  )
  return html`<section class="sheet talk" id="thread"><h2>${say.thread}</h2>
${thread.length > 0 ? html`<ol class="thread">${messages}</ol>` : html`<p class="soft">${say.nothingSaid}</p>`}
<noscript><p class="notice">${say.needsScript}</p></noscript>
<details class="say"${thread.length > 0 && html` open`}><summary>${say.ask}</summary>
${form({ action: `${path}/comments`, after: 'reload', button: say.askButton, fields: [nameField('comment', say), messageField('comment', say.message)] })}
</details>
${view.document.inDispute ? '' : disputeForm(path, say)}
</section>`
}

const disputeForm = (path: string, say: DocumentPageWords) => html`
<details class="say"><summary>${say.dispute}</summary>
<p class="soft">${say.disputeLead}</p>
${form({ action: `${path}/disputes`, after: 'reload', kind: 'danger', button: say.disputeButton, fields: [nameField('dispute', say), messageField('dispute', say.disputeMessage)] })}
</details>`

const nameField = (form: string, say: DocumentPageWords) =>
  field({ form, name: 'name', label: say.name, autocomplete: 'name', maxLength: 100 })

const messageField = (form: string, label: string) => html`
<div class="field"><label for="${form}-message">${label}</label>
<textarea id="${form}-message" name="message" rows="4" maxlength="4000" dir="auto" aria-describedby="${form}-message-problem" required></textarea>
<p class="problem" id="${form}-message-problem" hidden></p></div>`

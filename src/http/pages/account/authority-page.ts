import { html } from '../../../core/values/html.ts'
import { authorityPath, readState } from '../../../features/books/tax-authorities/state.ts'
import { doneSection, form } from '../form.ts'
import { formPage, type PageContext } from '../form-page.ts'
import { sharedWords } from './words.ts'

/** The page that a tax authority sends the browser back to: a button connects the organization. Opening it changes nothing. */
export function authorityPage(context: PageContext, { code, state }: { code?: unknown; state?: unknown }): string {
  const say = sharedWords[context.lang]
  const connecting = typeof state === 'string' && typeof code === 'string' ? readState(state) : undefined
  const action =
    connecting && `/api/organizations/${connecting.organizationId}/tax-authority/${connecting.integrationId}/authorize`
  const back = connecting
    ? html`<p><a href="/o/${connecting.organizationId}/settings/tax-authority">${say.authorityBack}</a></p>`
    : ''
  const fields = html`<input type="hidden" name="code" value="${String(code)}"><input type="hidden" name="state" value="${String(state)}">`
  const body = html`
<section class="card"><h1>${say.authorityTitle}</h1>
${
  action
    ? html`<div class="before"><p>${say.authorityLead}</p></div>
${form({ action, after: 'done', button: say.authorityConnect, fields })}${doneSection(html`<p data-if="valid">${say.authorityDone}</p><p data-unless="valid" class="problem"><bdi data-fill="error"></bdi></p>${back}`)}`
    : html`<p>${say.authorityLost}</p>`
}
</section>`
  return formPage({ context, title: say.authorityTitle, path: authorityPath, body })
}

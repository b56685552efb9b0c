import { html } from '../../../core/values/html.ts'
import { doneMessage, doneSection, field, form } from '../form.ts'
import { formPage, linkTo, type PageContext } from '../form-page.ts'
import { endedAccess } from './ended-access.ts'
import { newPassword } from './sign-up-page.ts'
import { sharedWords } from './words.ts'

/** The `step` in the URL after the script removed the token, so that a reload shows the same page. */
export const chooseStep = 'choose'

/** Requests the e-mail. The answer does not reveal whether the account exists (THR-09). */
export function requestResetPage(context: PageContext): string {
  const say = sharedWords[context.lang]
  const body = html`
<section class="card"><h1>${say.resetTitle}</h1>
<p>${say.resetLead}</p>
${form({
  action: '/api/auth/password/reset',
  after: 'done',
  button: say.resetAsk,
  fields: field({ form: 'reset', name: 'email', label: say.email, type: 'email', autocomplete: 'username' }),
})}
${doneMessage(say.resetAsked)}
<p class="aside-links"><a href="${linkTo(context, '/sign-in')}">${say.backToSignIn}</a></p>
</section>`
  return formPage({ context, title: say.resetTitle, path: '/reset', body })
}

/** The page that the link in the e-mail opens. */
export function choosePasswordPage(context: PageContext): string {
  const say = sharedWords[context.lang]
  const body = html`
<section class="card"><h1>${say.chooseTitle}</h1>
${form({
  action: '/api/auth/password/reset/confirm',
  token: true,
  after: 'done',
  button: say.choose,
  fields: newPassword({ form: 'choose', label: say.newPassword, hint: say.passwordHint }),
})}
${doneSection(html`<p>${say.chosen}</p><p data-unless="ended.everything">${say.othersStay}</p>${endedAccess(say)}
<p><a href="${linkTo(context, '/sign-in')}">${say.signIn}</a></p>`)}
<p class="aside-links"><a href="${linkTo(context, '/reset')}">${say.newEmail}</a></p>
</section>`
  return formPage({
    context,
    title: say.chooseTitle,
    path: '/reset',
    query: { step: chooseStep },
    step: chooseStep,
    body,
  })
}

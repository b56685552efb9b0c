import { html } from '../../../core/values/html.ts'
import { done, field, form } from '../form.ts'
import { framed, linkTo, type PageLook } from '../form-page.ts'
import { newPassword } from './sign-up-page.ts'
import { accountWordsCommon } from './words.ts'

/** What the address says in place of the token once that was taken out of it. */
export const choosing = 'choose'

/** Asks for the letter. The answer is the same sentence whether or not there is such an account (THR-09). */
export function askForReset(look: PageLook): string {
  const say = accountWordsCommon[look.lang]
  const body = html`
<section class="card"><h1>${say.resetTitle}</h1>
<p>${say.resetLead}</p>
${form({
  action: '/api/auth/password/reset',
  after: 'done',
  button: say.resetAsk,
  fields: field({ form: 'reset', name: 'email', label: say.email, type: 'email', autocomplete: 'username' }),
})}
${done(say.resetAsked)}
<p class="aside-links"><a href="${linkTo(look, '/sign-in')}">${say.backToSignIn}</a></p>
</section>`
  return framed({ look, title: say.resetTitle, path: '/reset', body })
}

/** Follows the link of the letter. */
export function choosePassword(look: PageLook): string {
  const say = accountWordsCommon[look.lang]
  const body = html`
<section class="card"><h1>${say.chooseTitle}</h1>
${form({
  action: '/api/auth/password/reset/confirm',
  token: true,
  after: 'done',
  button: say.choose,
  fields: newPassword({ form: 'choose', label: say.newPassword, hint: say.passwordHint }),
})}
${done(html`${say.chosen} <a href="${linkTo(look, '/sign-in')}">${say.signIn}</a>`)}
<p class="aside-links"><a href="${linkTo(look, '/reset')}">${say.newLetter}</a></p>
</section>`
  return framed({ look, title: say.chooseTitle, path: '/reset', query: { step: choosing }, step: choosing, body })
}

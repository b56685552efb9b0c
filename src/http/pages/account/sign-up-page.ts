import { type Config, signUpByLetter } from '../../../config/config.ts'
import { html } from '../../../core/values/html.ts'
import { doneMessage, field, form } from '../form.ts'
import { formPage, linkTo, type PageContext } from '../form-page.ts'
import { defaultPath } from './next-path.ts'
import { sharedWords } from './words.ts'

type Settings = Pick<Config, 'mode' | 'signUp' | 'smtpUrl'>

export function signUpPage(context: PageContext, next: string, config: Settings): string {
  const byLetter = signUpByLetter(config)
  const say = sharedWords[context.lang]
  const query = { next: next === defaultPath ? undefined : next }
  const fields = [
    field({ form: 'up', name: 'name', label: say.name, autocomplete: 'name', maxLength: 200 }),
    field({ form: 'up', name: 'email', label: say.email, type: 'email', autocomplete: 'username' }),
    newPassword({ form: 'up', label: say.password, hint: say.passwordHint }),
  ]
  const body = html`
<section class="card"><h1>${say.signUp}</h1>
${config.signUp === 'closed' && html`<p>${say.signUpClosed}</p>`}
${form({ action: '/api/auth/sign-up', ...(byLetter ? { after: 'done' } : { next }), button: say.signUp, fields })}
${byLetter && doneMessage(say.signUpMailed)}
<p class="aside-links"><a href="${linkTo(context, '/sign-in', query)}">${say.haveAccount}</a></p>
</section>`
  return formPage({ context, title: say.signUp, path: '/sign-up', query, body })
}

/** The field for a new password, with its limits. */
export const newPassword = (given: { form: string; label: string; hint: string }) =>
  field({ ...given, name: 'password', type: 'password', autocomplete: 'new-password', minLength: 8, maxLength: 500 })

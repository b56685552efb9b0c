import type { Config } from '../../../config/config.ts'
import { html } from '../../../core/values/html.ts'
import { field, form } from '../form.ts'
import { formPage, linkTo, type PageContext } from '../form-page.ts'
import { invitationPath } from './invitation-page.ts'
import { defaultPath } from './next-path.ts'
import { sharedWords } from './words.ts'

/** Signing in with a password, and a code if the account asks for one, or with a passkey. */
export function signInPage(context: PageContext, next: string, signUp: Config['signUp']): string {
  const say = sharedWords[context.lang]
  const query = { next: next === defaultPath ? undefined : next }
  const maySignUp = signUp === 'open' || next.startsWith(invitationPath)
  const code = field({ form: 'in', name: 'code', label: say.code, autocomplete: 'one-time-code', hint: say.codeHint })
  const fields = [
    field({ form: 'in', name: 'email', label: say.email, type: 'email', autocomplete: 'username' }),
    field({ form: 'in', name: 'password', label: say.password, type: 'password', autocomplete: 'current-password' }),
    html`<fieldset class="second" disabled hidden><legend class="away">${say.secondFactor}</legend>${code}</fieldset>
<label class="check"><input type="checkbox" name="remember">${say.remember}</label>`,
  ]
  const body = html`
<section class="card"><h1>${say.signIn}</h1>
${form({ action: '/api/auth/sign-in', next, button: say.signIn, fields })}
<p class="or"><span>${say.or}</span></p>
${form({ action: '/api/auth/passkeys/sign-in', submitBy: 'passkeySignIn', next, button: say.signInWithPasskey, kind: 'quiet' })}
<p class="aside-links"><a href="${linkTo(context, '/reset')}">${say.forgotten}</a>${maySignUp && html`<a href="${linkTo(context, '/sign-up', query)}">${say.newHere}</a>`}</p>
</section>`
  return formPage({ context, title: say.signIn, path: '/sign-in', query, body })
}

import { html } from '../../../core/values/html.ts'
import { field, form } from '../form.ts'
import { framed, linkTo, type PageLook } from '../form-page.ts'
import { home } from './next-path.ts'
import { accountWordsCommon } from './words.ts'

/** Signing in with a password, and a code if the account asks for one, or with a passkey. */
export function signInPage(look: PageLook, next: string): string {
  const say = accountWordsCommon[look.lang]
  const query = { next: next === home ? undefined : next }
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
${form({ action: '/api/auth/passkeys/sign-in', by: 'passkeySignIn', next, button: say.signInWithPasskey, kind: 'quiet' })}
<p class="aside-links"><a href="${linkTo(look, '/reset')}">${say.forgotten}</a><a href="${linkTo(look, '/sign-up', query)}">${say.newHere}</a></p>
</section>`
  return framed({ look, title: say.signIn, path: '/sign-in', query, body })
}

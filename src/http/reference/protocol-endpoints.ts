import { operations } from '../../catalog/operations.ts'
import { onSurface } from '../../core/define/operation.ts'
import { type Content, html } from '../../core/values/html.ts'

export type ProtocolEndpoint = { route: string; does: string; takes: Content; answers: Content }

const done = html`<code>200</code> <code>{"success": true}</code>`
const password = html`your <code>password</code>`

type Words = Record<string, Pick<ProtocolEndpoint, 'takes' | 'answers'>>

/** What each operation of the sign-in protocol takes and answers; where it is and what it does, its definition says. */
const signIn: Words = {
  auth_sign_up: {
    takes: html`<code>name</code>, <code>email</code>, <code>password</code> of at least 8 characters`,
    answers: html`<code>201</code> who is signed in; <code>409</code> if the address has an account already (in strict mode with a mail server <code>201</code> <code>{"mailed": true}</code> for every address, and the letter says how to go on); <code>403</code> if sign-up is closed and the address was not invited`,
  },
  auth_sign_in: {
    takes: html`<code>email</code>, <code>password</code>; <code>code</code> where a second step is set up, <code>remember</code> if you like`,
    answers: html`<code>200</code> who is signed in; <code>401</code> if the address or the password is wrong; <code>429</code> after too many failures`,
  },
  auth_sign_out: {
    takes: 'nothing',
    answers: html`<code>200</code> <code>{"success": true}</code>, signed in or not`,
  },
  auth_session: {
    takes: 'nothing',
    answers: html`<code>200</code> the signed-in person; <code>401</code> if there is no session`,
  },
  auth_sessions: {
    takes: 'nothing',
    answers: html`<code>200</code> <code>sessions</code>; <code>401</code>`,
  },
  auth_session_end: {
    takes: html`the <code>id</code> in the path`,
    answers: html`<code>200</code> <code>{"success": true}</code>; <code>404</code> if it is not yours`,
  },
}

/** The same for the operations on an account: password, address, and what counts beside them. */
const account: Words = {
  auth_password_reset: {
    takes: html`<code>email</code>`,
    answers: html`${done}, whether or not there is such an account`,
  },
  auth_password_reset_confirm: {
    takes: html`the <code>token</code> of the link, the new <code>password</code>`,
    answers: html`${done} and what was <code>ended</code>: the sessions, and all other access if the address had not been confirmed before; <code>400</code> <code>LINK</code> if the link has expired or was already used`,
  },
  auth_password_change: {
    takes: html`<code>currentPassword</code>, <code>password</code>`,
    answers: html`${done} and a new cookie; <code>403</code> <code>WRONG_PASSWORD</code>`,
  },
  auth_email_change: {
    takes: html`<code>email</code>, ${password}`,
    answers: html`${done}; <code>403</code> <code>WRONG_PASSWORD</code>`,
  },
  auth_email_verify: {
    takes: 'nothing',
    answers: done,
  },
  auth_email_confirm: {
    takes: html`the <code>token</code> of the link; outside a session also the <code>password</code>, if you made the account`,
    answers: html`<code>200</code> <code>userId</code>, <code>email</code> and what was <code>ended</code>: without session and password all earlier access, the password included; <code>400</code> <code>LINK</code>; <code>403</code> <code>SESSION_NEEDED</code> for a changed address outside a session of the account`,
  },
  auth_sign_out_everywhere: {
    takes: 'nothing',
    answers: done,
  },
  auth_factors: {
    takes: 'nothing',
    answers: html`<code>200</code> <code>authenticator</code>, <code>passkeys</code>`,
  },
  auth_authenticator: {
    takes: password,
    answers: html`<code>200</code> <code>secret</code>, <code>uri</code>, <code>qr</code>; <code>409</code> if there is one`,
  },
  auth_authenticator_confirm: {
    takes: html`a <code>code</code> that the app shows`,
    answers: html`<code>200</code> <code>recoveryCodes</code>, shown once; <code>400</code> <code>WRONG_CODE</code>`,
  },
  auth_authenticator_remove: {
    takes: password,
    answers: done,
  },
  auth_recovery_codes: {
    takes: password,
    answers: html`<code>200</code> <code>recoveryCodes</code>`,
  },
  auth_passkey_options: {
    takes: password,
    answers: html`<code>200</code> options for <code>navigator.credentials.create</code>`,
  },
  auth_passkey_add: {
    takes: html`a <code>name</code>, the browser’s <code>response</code>`,
    answers: html`<code>201</code> the passkey; <code>400</code> <code>PASSKEY</code>`,
  },
  auth_passkey_remove: {
    takes: html`its <code>id</code>, ${password}`,
    answers: html`${done}; <code>404</code> if it is not yours`,
  },
  auth_passkey_sign_in_options: {
    takes: 'nothing',
    answers: html`<code>200</code> options for <code>navigator.credentials.get</code>`,
  },
  auth_passkey_sign_in: {
    takes: html`the browser’s <code>response</code>`,
    answers: html`<code>200</code> who is signed in; <code>401</code>`,
  },
  auth_step_up: {
    takes: html`<code>password</code> or <code>code</code>, for what needs a recent sign-in (<code>SIGN_IN_AGAIN</code>)`,
    answers: html`<code>200</code> who is signed in, with a new cookie; <code>403</code> if it is wrong`,
  },
  auth_step_up_passkey_options: {
    takes: 'nothing',
    answers: html`<code>200</code> options for <code>navigator.credentials.get</code>`,
  },
  auth_step_up_passkey: {
    takes: html`the browser’s <code>response</code>`,
    answers: html`<code>200</code> who is signed in, with a new cookie; <code>403</code>`,
  },
}

const endpointsOf = (words: Words): readonly ProtocolEndpoint[] =>
  Object.entries(words).map(([name, { takes, answers }]) => {
    const found = onSurface(operations, 'account').find((operation) => operation.name === name)
    if (!found) throw new Error(`The reference describes ${name}, which is no operation.`)
    return { route: found.http, does: found.does, takes, answers }
  })

export const signInEndpoints = endpointsOf(signIn)
export const accountEndpoints = endpointsOf(account)

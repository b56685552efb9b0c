import { type Content, html } from '../../core/values/html.ts'

export type ProtocolEndpoint = { route: string; does: string; takes: Content; answers: Content }

const done = html`<code>200</code> <code>{"success": true}</code>`
const password = html`your <code>password</code>`

/** The endpoints of the sign-in protocol: they are not in the list of operations, so they are described here. */
export const signInEndpoints: readonly ProtocolEndpoint[] = [
  {
    route: 'POST /api/auth/sign-up',
    does: 'Creates an account and signs in.',
    takes: html`<code>name</code>, <code>email</code>, <code>password</code> of at least 8 characters`,
    answers: html`<code>201</code> who is signed in; <code>409</code> if the address has an account already`,
  },
  {
    route: 'POST /api/auth/sign-in',
    does: 'Signs in and starts a new session.',
    takes: html`<code>email</code>, <code>password</code>; <code>code</code> where a second step is set up, <code>remember</code> if you like`,
    answers: html`<code>200</code> who is signed in; <code>401</code> if the address or the password is wrong; <code>429</code> after too many failures`,
  },
  {
    route: 'POST /api/auth/sign-out',
    does: 'Ends the session and clears the cookie.',
    takes: 'nothing',
    answers: html`<code>200</code> <code>{"success": true}</code>, signed in or not`,
  },
  {
    route: 'GET /api/auth/session',
    does: 'Shows the signed-in person and their organizations.',
    takes: 'nothing',
    answers: html`<code>200</code> the signed-in person; <code>401</code> if there is no session`,
  },
  {
    route: 'GET /api/auth/sessions',
    does: 'Lists the sessions of the signed-in person.',
    takes: 'nothing',
    answers: html`<code>200</code> <code>sessions</code>; <code>401</code>`,
  },
  {
    route: 'DELETE /api/auth/sessions/{id}',
    does: 'Ends one of them.',
    takes: html`the <code>id</code> in the path`,
    answers: html`<code>200</code> <code>{"success": true}</code>; <code>404</code> if it is not yours`,
  },
]

/** The endpoints for password, e-mail address, authenticator app and passkeys. */
export const accountEndpoints: readonly ProtocolEndpoint[] = [
  {
    route: 'POST /api/auth/password/reset',
    does: 'Requests an e-mail with a link to choose a new password.',
    takes: html`<code>email</code>`,
    answers: html`${done}, whether or not there is such an account`,
  },
  {
    route: 'POST /api/auth/password/reset/confirm',
    does: 'Sets the new password.',
    takes: html`the <code>token</code> of the link, the new <code>password</code>`,
    answers: html`${done}; <code>400</code> <code>LINK</code> if the link has expired or was already used`,
  },
  {
    route: 'POST /api/auth/password',
    does: 'Changes the password.',
    takes: html`<code>currentPassword</code>, <code>password</code>`,
    answers: html`${done} and a new cookie; <code>403</code> <code>WRONG_PASSWORD</code>`,
  },
  {
    route: 'POST /api/auth/email',
    does: 'Requests a change of the e-mail address. It takes effect when the link sent to the new address is opened and confirmed.',
    takes: html`<code>email</code>, ${password}`,
    answers: html`${done}; <code>403</code> <code>WRONG_PASSWORD</code>`,
  },
  {
    route: 'POST /api/auth/email/verify',
    does: 'Sends the e-mail that confirms your address again.',
    takes: 'nothing',
    answers: done,
  },
  {
    route: 'POST /api/auth/email/confirm',
    does: 'Confirms an address.',
    takes: html`the <code>token</code> of the link`,
    answers: html`<code>200</code> <code>userId</code> and <code>email</code>; <code>400</code> <code>LINK</code>`,
  },
  {
    route: 'POST /api/auth/sign-out-everywhere',
    does: 'Ends every session.',
    takes: 'nothing',
    answers: done,
  },
  {
    route: 'GET /api/auth/factors',
    does: 'Shows which factors are set up besides the password.',
    takes: 'nothing',
    answers: html`<code>200</code> <code>authenticator</code>, <code>passkeys</code>`,
  },
  {
    route: 'POST /api/auth/authenticator',
    does: 'Starts the setup of an authenticator app; it takes effect when a code is confirmed.',
    takes: password,
    answers: html`<code>200</code> <code>secret</code>, <code>uri</code>, <code>qr</code>; <code>409</code> if there is one`,
  },
  {
    route: 'POST /api/auth/authenticator/confirm',
    does: 'Confirms the code and turns the second factor on.',
    takes: html`a <code>code</code> that the app shows`,
    answers: html`<code>200</code> <code>recoveryCodes</code>, shown once; <code>400</code> <code>WRONG_CODE</code>`,
  },
  {
    route: 'POST /api/auth/authenticator/remove',
    does: 'Turns the second factor off.',
    takes: password,
    answers: done,
  },
  {
    route: 'POST /api/auth/recovery-codes',
    does: 'Creates new recovery codes; the old ones become invalid.',
    takes: password,
    answers: html`<code>200</code> <code>recoveryCodes</code>`,
  },
  {
    route: 'POST /api/auth/passkeys/options',
    does: 'Starts the registration of a passkey (WebAuthn).',
    takes: password,
    answers: html`<code>200</code> options for <code>navigator.credentials.create</code>`,
  },
  {
    route: 'POST /api/auth/passkeys',
    does: 'Completes the registration.',
    takes: html`a <code>name</code>, the browser’s <code>response</code>`,
    answers: html`<code>201</code> the passkey; <code>400</code> <code>PASSKEY</code>`,
  },
  {
    route: 'POST /api/auth/passkeys/remove',
    does: 'Removes a passkey.',
    takes: html`its <code>id</code>, ${password}`,
    answers: html`${done}; <code>404</code> if it is not yours`,
  },
  {
    route: 'POST /api/auth/passkeys/sign-in/options',
    does: 'Starts signing in with a passkey.',
    takes: 'nothing',
    answers: html`<code>200</code> options for <code>navigator.credentials.get</code>`,
  },
  {
    route: 'POST /api/auth/passkeys/sign-in',
    does: 'Signs in; a passkey replaces password and second factor.',
    takes: html`the browser’s <code>response</code>`,
    answers: html`<code>200</code> who is signed in; <code>401</code>`,
  },
]

import '../../../test/own-world.ts'
import { TOTP } from 'otpauth'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { resilientPool } from '../../../db/pool.ts'
import { accountMail } from '../../../features/company/people/account-mail.ts'
import { sendMail } from '../../../features/platform/mail/send-mail.ts'
import { hasBrowser, theSite, type Visitor, visitor, withBrowser } from '../../../test/browser.ts'
import { proves, sample } from '../../../test/prove.ts'
import { theDatabase } from '../../../test/world.ts'
import { startWorker } from '../../../worker/worker.ts'

/** People use the pages in a real browser, with an authenticator app, passkeys and the links in their e-mails. */

withBrowser()

let stop = async () => {}
beforeAll(async () => {
  if (!hasBrowser) return
  const raw = resilientPool({ ...theDatabase(), max: 8 })
  const jobs = [accountMail, sendMail]
  const worker = await startWorker(raw, { ...theSite().app, jobs, subscriberJobs: () => [], logError: () => {} })
  stop = () => worker.stop().then(() => raw.end())
})
afterAll(() => stop())

const password = 'correct horse'

/** A page of a new visitor. At the end of the test it must not have had errors or foreign requests. */
async function newVisitor(): Promise<Page> {
  const here: Visitor = await visitor()
  onTestFinished(async () => {
    await here.leave()
    expect(here.trouble).toEqual([])
  })
  return here.page
}

type NewPerson = { name?: string; email?: string }

async function fillSignUp(page: Page, { name = 'Amy', email = '' }: NewPerson) {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Make an account' }).click()
}

/** Signs a new person up over the API and opens the account page. */
async function signUp(page: Page, { name = 'Amy', email = `${newId()}@example.test` }: NewPerson = {}) {
  const made = await page.request.post('/api/auth/sign-up', { data: { name, email, password } })
  expect(made.status()).toBe(201)
  await page.goto('/account')
  await page.locator('[data-list=sessions] li').first().waitFor()
  return email
}

async function enterPassword(page: Page, email: string, secret = password) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** After signing in comes the web app, which asks somebody without an organization for the first steps; then the account page. */
async function openAccount(page: Page) {
  await page.waitForURL('**/welcome')
  await page.getByRole('heading', { name: 'Your organization' }).waitFor()
  await page.goto('/account')
}

/** From the sign-in page to the account page, without the web app between them. */
async function signInToAccount(page: Page, email: string, secret = password) {
  await page.goto('/sign-in?next=/account')
  await enterPassword(page, email, secret)
}

const accountPage = (page: Page) => page.waitForURL(({ pathname }) => pathname === '/account')

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL('**/sign-in')
}

const rows = async <T>(text: string, values: unknown[]) =>
  theSite().app.system.use(async (_, connection) => (await connection.query(text, values)).rows as T[])

/** The path of the link in an e-mail. */
const linkTo = (email: string, subject: string) =>
  vi.waitFor(async () => {
    const text = 'select text from outbox where "to" = $1 and subject = $2 order by created_at desc limit 1'
    const [message] = await rows<{ text: string }>(text, [email, subject])
    const link = /https?:\/\/\S+token=\w+/.exec(message?.text ?? '')?.[0]
    if (!link) throw new Error(`No e-mail "${subject}" to ${email} yet.`)
    const { pathname, search } = new URL(link)
    return pathname + search
  }, 20_000)

describe.skipIf(!hasBrowser)('signing in', () => {
  test('with an authenticator app, signing in takes its code or a recovery code, each once', async () => {
    const page = await newVisitor()
    const email = `${newId()}@example.test`
    await page.goto('/sign-up')
    await fillSignUp(page, { email })
    await openAccount(page)
    await page.getByText('Set up an app').click()
    await page.locator('#begin-password').fill('wrong horse')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => page.locator('#begin-password-problem').textContent()).toBe('The password is wrong.')
    await page.locator('#begin-password').fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('.qr').waitFor()
    expect(await page.evaluate(`document.querySelector('.qr').decode().then(() => 'shown')`)).toBe('shown')
    const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '')
    // A step ahead for the second use: a code is good once, and the server takes one that is a step early.
    const code = (steps: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })
    await page.getByLabel('Code').fill(code(0))
    await page.getByRole('button', { name: 'Turn it on' }).click()
    await page.locator('.codes li').first().waitFor()
    const recoveryCodes = await page.locator('.codes li').allTextContents()
    expect(recoveryCodes).toHaveLength(10)
    await page.getByRole('button', { name: 'I have saved them' }).click()
    expect(await page.content()).not.toContain(recoveryCodes[0])
    expect(await page.locator('.left').textContent()).toBe('10 recovery codes left.')

    await signOut(page)
    await enterPassword(page, email)
    await page.getByLabel('Code').waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('in-code')
    await page.getByLabel('Code').fill('000000')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#in-code-problem').textContent()).toContain('The code is wrong')
    await page.getByLabel('Code').fill(code(1))
    await page.keyboard.press('Enter')
    await openAccount(page)

    for (const [tried, outcome] of [
      [recoveryCodes[3], 'in'],
      [recoveryCodes[3], 'out'],
    ] as const) {
      await signOut(page)
      await signInToAccount(page, email)
      await page.getByLabel('Code').fill(tried ?? '')
      await page.keyboard.press('Enter')
      if (outcome === 'in') await accountPage(page)
      else await expect.poll(() => page.locator('#in-code-problem').textContent()).toContain('already used')
    }
  })

  test('WEB-7: a sign-in link with a foreign address leads to the web app, one with our own path leads there', async () => {
    const page = await newVisitor()
    const email = await signUp(page)
    await signOut(page)
    await page.goto('/sign-in?next=//evil.test/account')
    await enterPassword(page, email)
    await openAccount(page)
    await signOut(page)
    await page.goto('/sign-in?next=/docs')
    await enterPassword(page, email)
    await page.waitForURL('**/docs')
  })

  test.runIf(proves)('the account page leads a signed-out person to the sign-in page and back', async () => {
    const page = await newVisitor()
    const email = await signUp(page)
    await signOut(page)
    await page.goto('/account?lang=en')
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    await enterPassword(page, email, 'wrong horse')
    const problem = page.locator('.problem:visible')
    await expect.poll(() => problem.textContent()).toBe('The e-mail address or the password is wrong.')
    await enterPassword(page, email)
    await page.waitForURL('**/account?lang=en')
  })

  test.runIf(proves)('an e-mail address that already has an account is reported beside the field', async () => {
    const page = await newVisitor()
    const email = await signUp(page)
    await page.goto('/sign-up')
    await fillSignUp(page, { name: 'Eve', email })
    await expect.poll(() => page.locator('#up-email-problem').textContent()).toContain('already')
    expect(await page.locator('#up-email').getAttribute('aria-invalid')).toBe('true')
  })
})

describe.skipIf(!hasBrowser)('a passkey', () => {
  /** Adds a virtual authenticator that confirms every request at once. */
  async function addVirtualAuthenticator(page: Page) {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  }

  async function addPasskey(page: Page, name: string) {
    await page.getByText('Add a passkey').first().click()
    await page.getByLabel('Name of the passkey').fill(name)
    await page.locator('#passkey-password').fill(password)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.locator('[data-list=passkeys] strong').waitFor()
  }

  const signInWithPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' }).click()

  // Older browsers leave the conversion from and to JSON to the page.
  const forgetJson = `
    delete PublicKeyCredential.parseCreationOptionsFromJSON
    delete PublicKeyCredential.parseRequestOptionsFromJSON
    delete PublicKeyCredential.prototype.toJSON`

  test.each(
    sample(
      [
        ['an older browser', forgetJson],
        ['a browser of today', ''],
      ],
      2,
    ),
  )(
    'signs in without a password in %s; its assertion cannot be used a second time',
    async (_, older) => {
      const page = await newVisitor()
      await page.addInitScript(older)
      await addVirtualAuthenticator(page)
      await signUp(page)
      await addPasskey(page, 'The telephone')
      await signOut(page)
      const said = page.waitForRequest((request) => request.url().endsWith('/api/auth/passkeys/sign-in'))
      await signInWithPasskey(page)
      await openAccount(page)
      expect(await page.locator('[data-list=passkeys] strong').textContent()).toBe('The telephone')
      const assertion = (await said).postDataJSON()
      const again = await page.request.post('/api/auth/passkeys/sign-in', { data: assertion })
      expect([again.status(), (await again.json()).error.details[0].code]).toEqual([400, 'PASSKEY'])
    },
    60_000,
  )

  test.runIf(proves)('that was removed does not sign in, although the device still has it', async () => {
    const page = await newVisitor()
    await addVirtualAuthenticator(page)
    await signUp(page)
    await addPasskey(page, 'Lost')
    await page.getByRole('button', { name: 'Remove: Lost' }).click()
    await page.locator('#remove-passkey-password').fill(password)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.locator('[data-list=passkeys] .none').waitFor()
    await signOut(page)
    await signInWithPasskey(page)
    await expect
      .poll(() => page.locator('.problem:visible').textContent())
      .toBe('This passkey does not belong to any account here.')
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    expect((await page.request.get('/api/auth/session')).status()).toBe(401)
  })

  test('does not work at a numeric address, and the page names the address to use', async () => {
    const page = await newVisitor()
    await page.goto('/sign-in')
    const { port } = new URL(page.url())
    const { page: other } = await visitor()
    await other.goto(`http://127.0.0.1:${port}/sign-in`)
    await signInWithPasskey(other)
    await expect
      .poll(() => other.locator('.problem:visible').textContent())
      .toContain(`http://localhost:${port}/sign-in`)
  })
})

describe.skipIf(!hasBrowser)('an e-mail', () => {
  test('lets a person choose a new password; its token is removed from the URL at once and survives a reload', async () => {
    const page = await newVisitor()
    const email = await signUp(page)
    await signOut(page)
    await page.getByRole('link', { name: 'Forgot the password?' }).click()
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Send the e-mail' }).click()
    await expect.poll(() => page.locator('.done:visible').textContent()).toContain('If there is an account')
    const sent: Promise<Record<string, string>>[] = []
    const note = (request: Request) => sent.push(request.allHeaders())
    page.on('request', note)
    await page.goto(await linkTo(email, 'Choose a new password'))
    expect(page.url()).not.toContain('token')
    page.off('request', note)
    for (const { referer = '' } of await Promise.all(sent)) expect(referer).not.toContain('token')
    await page.reload()
    await page.getByRole('link', { name: 'עברית' }).click()
    await page.waitForURL('**/reset?*lang=he')
    await page.locator('#choose-password').fill('another horse')
    await page.getByRole('button', { name: 'שמירת הסיסמה' }).click()
    await page.locator('.done:visible').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await signInToAccount(page, email, 'another horse')
    await accountPage(page)
  })

  test('confirms an address when the button is pressed, and not when the page is opened', async () => {
    const page = await newVisitor()
    const email = await signUp(page)
    const link = await linkTo(email, 'Confirm your e-mail address')
    const verified = () => rows('select 1 from users where email = $1 and email_verified_at is not null', [email])
    await page.goto(link)
    expect(await verified()).toHaveLength(0)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect
      .poll(() => page.locator('.done p:visible').allTextContents())
      .toEqual([`${email} is confirmed. Thank you.`])
    expect(await verified()).toHaveLength(1)
    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect.poll(() => page.locator('.problem:visible').textContent()).toContain('already used')
    await page.goto('/account')
    expect(await page.locator('#email .good').textContent()).toBe('confirmed')
  })

  test('THR-08: opened by somebody who is not signed in tells what confirming ends, and then what it has ended', async () => {
    const [maker, owner] = [await newVisitor(), await newVisitor()]
    const email = await signUp(maker)
    const key = { name: 'Books', scopes: ['*:*'], allOrgs: true }
    expect((await maker.request.post('/api/api-keys', { data: key })).status()).toBe(201)
    await owner.goto(await linkTo(email, 'Confirm your e-mail address'))
    expect(await owner.locator('.before').textContent()).toContain(
      'If you made the account yourself, enter its password',
    )
    await owner.getByRole('button', { name: 'Confirm' }).click()
    await owner.locator('.done:visible').waitFor()
    const shown = async () => (await owner.locator('.done li:visible').allTextContents()).join('; ')
    expect(await shown()).toBe('The password; Sessions: 1; API keys: 1')
    await owner.getByRole('link', { name: 'Choose a new password' }).click()
    await owner.waitForURL('**/reset')
    await maker.goto('/account')
    await maker.waitForURL('**/sign-in?*')
  })

  test('confirms the address of a person who signs in first, and keeps their sessions', async () => {
    const [laptop, telephone] = [await newVisitor(), await newVisitor()]
    const email = await signUp(laptop)
    await telephone.goto(await linkTo(email, 'Confirm your e-mail address'))
    await telephone.getByRole('link', { name: 'Sign in', exact: true }).click()
    await enterPassword(telephone, email)
    await telephone.waitForURL('**/verify-email')
    await telephone.getByRole('button', { name: 'Confirm' }).click()
    await expect
      .poll(() => telephone.locator('.done p:visible').allTextContents())
      .toEqual([`${email} is confirmed. Thank you.`])
    await laptop.goto('/account')
    expect(await laptop.locator('#email .good').textContent()).toBe('confirmed')
  })

  test('invites a person to an organization, who signs up with the invited address and accepts', async ({ skip }) => {
    const offered = theSite().app.server.hasRoute({ method: 'POST', url: '/api/invitations/accept' })
    skip(!offered, 'There are no invitations in this build.')
    const [owner, guest] = [await newVisitor(), await newVisitor()]
    await signUp(owner, { name: 'Olga' })
    const created = await owner.request.post('/api/organizations', { data: { name: '<b>Acme</b>', country: 'SG' } })
    const { id } = await created.json()
    const email = `${newId()}@example.test`
    const invited = await owner.request.post(`/api/organizations/${id}/invitations`, {
      data: { email, role: 'MANAGER' },
    })
    const { token } = await invited.json()
    await guest.goto(`/invitations/accept?token=${token}`)
    expect(guest.url()).not.toContain(token)
    await signUp(guest, { name: 'Eve' })
    await guest.goto('/invitations/accept')
    await guest.getByRole('button', { name: 'Accept the invitation' }).click()
    await expect.poll(() => guest.locator('.problem:visible').textContent()).toContain('for another e-mail address')
    await guest.getByRole('link', { name: 'Use another account' }).click()
    await guest.getByRole('link', { name: 'Make an account' }).click()
    expect(guest.url()).not.toContain(token)
    await fillSignUp(guest, { name: 'Gil', email })
    await guest.waitForURL('**/invitations/accept')
    await guest.getByRole('button', { name: 'Accept the invitation' }).click()
    await expect.poll(() => guest.locator('.done:visible').textContent()).toBe('You belong to <b>Acme</b> as manager.')
    await guest.goto('/invitations/accept?token=nonsense')
    await guest.getByRole('button', { name: 'Accept the invitation' }).click()
    await expect.poll(() => guest.locator('.problem:visible').textContent()).toContain('There is no such invitation')
  })
})

describe.skipIf(!hasBrowser)('the account page', () => {
  test('changes the password and the address, and ends other sessions', async () => {
    const page = await newVisitor()
    const email = await signUp(page)
    const elsewhere = await newVisitor()
    await signInToAccount(elsewhere, email)
    await accountPage(elsewhere)
    await page.reload()
    await expect.poll(() => page.locator('[data-list=sessions] li').count()).toBe(2)
    await page.getByRole('button', { name: /^End/ }).click()
    await expect.poll(() => page.locator('[data-list=sessions] li').count()).toBe(1)
    await elsewhere.reload()
    expect(new URL(elsewhere.url()).pathname).toBe('/sign-in')

    await page.getByText('Change the password').first().click()
    await page.getByLabel('Current password').fill(password)
    await page.getByLabel('New password').fill('another horse')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await expect.poll(() => page.locator('.done:visible').textContent()).toBe('Your password is changed.')

    const next = `${newId()}@example.test`
    await page.getByText('Change the address').first().click()
    await page.getByLabel('New e-mail address').fill(next)
    await page.locator('#email-password').fill('another horse')
    await page.getByRole('button', { name: 'Change the address' }).click()
    await page.goto(await linkTo(next, 'Confirm your e-mail address'))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.locator('.done:visible').waitFor()
    await page.goto('/account')
    expect(await page.locator('.value bdi').textContent()).toBe(next)

    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL('**/sign-in')
  })

  test('THR-14: names with markup are shown as text', async () => {
    const page = await newVisitor()
    const name = `<img src=x onerror="alert(1)"><script>alert(2)</script>"'`
    const email = await signUp(page, { name })
    expect(await page.locator('h1').textContent()).toBe(name)
    await rows(
      `insert into passkeys (id, user_id, name, public_key, counter, transports, backed_up)
       select 'mark"<b>up', id, $2, '', 0, '{}', false from users where email = $1`,
      [email, name],
    )
    await page.reload()
    await page.locator('[data-list=passkeys] strong').waitFor()
    expect(await page.locator('[data-list=passkeys] strong').textContent()).toBe(name)
    await page.request.post('/api/organizations', { data: { name, country: 'SG' } })
    for (const path of ['/', '/invitations/accept?token="><script>alert(3)</script>']) {
      await page.goto(path)
      await page.getByText(name).first().waitFor()
    }
    await page.goto(`/sign-in?next=/"><script>alert(4)</script>`)
    expect(await page.locator('main script, main img').count()).toBe(0)
  })
})

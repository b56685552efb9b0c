import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../core/values/id.ts'
import { barriers, faintText } from '../../test/barriers.ts'
import { hasBrowser, theSite, visitor, withBrowser } from '../../test/browser.ts'
import { TestApp } from '../../test/oauth-client.ts'
import { proves, sample } from '../../test/prove.ts'

/** Connecting and disconnecting an app in a real browser. */

withBrowser()

const password = 'correct horse'

async function signUp(page: Page, organizations: string[]) {
  const email = `${newId()}@example.test`
  await page.request.post('/api/auth/sign-up', { data: { name: 'Amy Levi', email, password } })
  for (const name of organizations) await page.request.post('/api/organizations', { data: { name, country: 'IL' } })
  return email
}

async function signIn(page: Page, email: string) {
  await page.locator('#in-email').fill(email)
  await page.locator('#in-password').fill(password)
  await page.locator('form[action="/api/auth/sign-in"] button').click()
}

/** The app's own page, to which the browser is sent back. It is the only foreign address that a browser may open here. */
const home = createServer((_, reply) => reply.setHeader('content-type', 'text/plain').end('Welcome back'))
let callback: string

beforeAll(async () => {
  await new Promise<void>((resolve) => home.listen(0, '127.0.0.1', resolve))
  const address = home.address()
  callback = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/callback`
})
afterAll(() => new Promise((resolve) => home.close(resolve)))

const newApp = () => TestApp.registered(theSite().url, { redirect_uris: [callback] })

const isBack = (url: URL) => url.href.startsWith(callback)
const elsewhere = (trouble: string[]) =>
  trouble.filter((each) => !each.startsWith(`asked elsewhere: ${new URL(callback).origin}`))

describe.skipIf(!hasBrowser)('the consent page', () => {
  test('THR-22: leads over the sign-in page back to the app; the account page lists the app and disconnects it', async () => {
    const { page, context, trouble, leave } = await visitor()
    const email = await signUp(page, ['Acme', 'Globex'])
    await context.clearCookies()
    const app = await newApp()
    await page.goto(String(app.request({ scope: 'customers:read customers:write expenses:read' })))
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    await signIn(page, email)
    await page.waitForURL('**/oauth/consent/**')
    expect(await page.locator('main').textContent()).toContain('Ledger Lens')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect.poll(() => page.locator('.problem:visible').textContent()).toBe('Choose at least one organization.')
    await page.getByLabel('Acme').check()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.waitForURL(isBack)
    const code = new URL(page.url()).searchParams.get('code') ?? ''
    expect(await app.exchange(code)).toMatchObject({ status: 200, scope: expect.stringContaining('customers:read') })

    await page.goto('/account')
    const entry = page.locator('[data-list=apps] li')
    await expect.poll(() => entry.textContent()).toContain('Ledger Lens')
    expect(await entry.textContent()).toContain('Acme')
    expect(await entry.textContent()).not.toContain('Globex')
    expect(await entry.textContent()).toContain('customers')
    await page.getByRole('button', { name: 'Disconnect: Ledger Lens' }).click()
    await page.locator('[data-list=apps] .none').waitFor()
    await leave()
    expect(elsewhere(trouble)).toEqual([])
  })

  test.runIf(proves)('offers to use another account', async () => {
    const { page, leave, trouble } = await visitor()
    const email = await signUp(page, ['Acme'])
    await signUp(page, ['Other'])
    await page.goto(String((await newApp()).request()))
    await page.getByRole('link', { name: 'Use another account' }).click()
    await signIn(page, email)
    await page.waitForURL('**/oauth/consent/**')
    expect(await page.locator('main').textContent()).toContain('Acme')
    expect(await page.locator('main').textContent()).not.toContain('Other')
    await page.getByRole('button', { name: 'Do not connect' }).click()
    await page.waitForURL(isBack)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
    await leave()
    expect(elsewhere(trouble)).toEqual([])
  })

  const languages = [
    ['he-IL', 'rtl'],
    ['en-GB', 'ltr'],
  ]
  test.each(sample(languages, languages.length))(
    'for a reader of %s is written %s, fits a phone and is accessible in light and dark',
    async (locale, direction) => {
      const { page, leave, trouble } = await visitor({ locale, viewport: { width: 360, height: 740 } })
      await signUp(page, ['Acme Trading and Holdings International', 'קפה נועה בע״מ'])
      const scope = 'customers:read customers:write expenses:read invoices:write bank_accounts:read users:read'
      await page.goto(String((await newApp()).request({ scope })))
      expect(await page.locator('html').getAttribute('dir')).toBe(direction)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      expect(await barriers(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await faintText(page)).toEqual([])
      await leave()
      expect(elsewhere(trouble)).toEqual([])
    },
    60_000,
  )
})

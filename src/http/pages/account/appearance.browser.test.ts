import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { barriers, faintText } from '../../../test/barriers.ts'
import { hasBrowser, visitor, withBrowser } from '../../../test/browser.ts'
import { sample } from '../../../test/prove.ts'

/** The pages in Hebrew, on a phone, in dark mode, with a keyboard and for screen readers. */

withBrowser()

const publicPages = [
  '/',
  '/sign-in',
  '/sign-up',
  '/reset',
  '/reset?token=x',
  '/verify-email?token=x',
  '/invitations/accept?token=x',
]
const signedInPages = ['/account', '/invitations/accept?token=x']

const signUp = (page: Page) =>
  page.request.post('/api/auth/sign-up', {
    data: { name: 'נועה Levi', email: `${newId()}@example.test`, password: 'correct horse' },
  })

/** Shows everything that a page may show. */
const unfold = (page: Page) =>
  page.evaluate(`
    for (const folded of document.querySelectorAll('details')) folded.open = true
    for (const hidden of document.querySelectorAll('main .second, main .off, main .on, main .done')) hidden.hidden = false`)

const focused = `document.activeElement.getAttribute('name') ?? document.activeElement.textContent`

describe.skipIf(!hasBrowser)('every page', () => {
  const languages = [
    ['he-IL', 'rtl'],
    ['en-GB', 'ltr'],
  ]
  test.each(sample(languages, languages.length))(
    'for a reader of %s is written %s, fits a phone and is accessible in light and dark',
    async (locale, direction) => {
      const { page, leave, trouble } = await visitor({ locale, viewport: { width: 360, height: 740 } })
      const visit = async (path: string) => {
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(path)
        if (path === '/account') await page.locator('[data-list=sessions] li').first().waitFor()
        await unfold(page)
        expect([path, await page.locator('html').getAttribute('dir')]).toEqual([path, direction])
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 360])
        expect([path, await barriers(page)]).toEqual([path, []])
        await page.emulateMedia({ colorScheme: 'dark' })
        expect([path, await faintText(page)]).toEqual([path, []])
      }
      for (const path of publicPages) await visit(path)
      await signUp(page)
      for (const path of signedInPages) await visit(path)
      await leave()
      expect(trouble).toEqual([])
    },
    120_000,
  )

  test('says that it needs JavaScript if that is off', async () => {
    const { page, leave } = await visitor({ javaScriptEnabled: false })
    for (const path of publicPages) {
      await page.goto(path)
      expect(await page.locator('.notice').textContent()).toContain('JavaScript')
    }
    await leave()
  })

  test('can be used with the keyboard alone', async () => {
    const { page, leave } = await visitor()
    await page.goto('/sign-in')
    const stops: string[] = []
    for (let presses = 0; presses < 9; presses++) {
      await page.keyboard.press('Tab')
      stops.push(await page.evaluate<string>(focused))
    }
    expect(stops).toEqual([
      'Kontor', 'עברית', 'email', 'password', 'remember', 'Sign in', 'Sign in with a passkey', 'Forgot the password?', 'Make an account',
    ]) // biome-ignore format: one line in tab order
    await leave()
  })
})

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, theSite, visitor, withBrowser } from '../../src/test/browser.ts'
import { sample } from '../../src/test/prove.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { endSession, newCustomer, newDraft } from './people.ts'
import { expectSound } from './visit.ts'

const frame = '#first-frame'
const figuresIn = (page: Page, within: string) => page.locator(`${within} .figure-text`).allTextContents()
/** Where the title and the figures begin. */
const placesIn = (page: Page, within: string) =>
  page.evaluate(
    `[...document.querySelectorAll('${within} h1, ${within} .figure-text')].map((each) => {
      const { left, right, y, height } = each.getBoundingClientRect()
      return [document.dir === 'rtl' ? right : left, y, height]
    })`,
  )

/** Opens an address for the first time in this browser. Its first script comes when `release` is called. */
async function firstVisit(someone: Someone, path: string, { lang = 'en', width = 1360, isHeld = true } = {}) {
  const phone = width < 500
  const opened = await visitor({
    viewport: { width, height: 900 },
    locale: lang === 'he' ? 'he-IL' : 'en-GB',
    hasTouch: phone,
    isMobile: phone,
  })
  const [name = '', value = ''] = (someone.credentials as { cookie: string }).cookie.split('=')
  await opened.context.addCookies([{ name, value, url: theSite().url }])
  await someone.call('preferences_update', { language: lang === 'he' ? 'he' : 'en' })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const asked: string[] = []
  opened.page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  if (isHeld)
    await opened.page.route('**/assets/main-*.js', async (route) => {
      await held
      await route.continue()
    })
  await opened.page.goto(path.replace('$org', someone.organizationId ?? ''), { waitUntil: 'commit' })
  const timesAsked = (address: string) => asked.filter((each) => each === address).length
  return { ...opened, release, timesAsked }
}

/** Every heading and title of the page from now on. */
const rememberTitles = `
  globalThis.seenTitles = new Set()
  new MutationObserver(() => {
    for (const each of [document.querySelector('h1')?.textContent, document.title]) if (each && each !== 'Kontor') seenTitles.add(each)
  }).observe(document, { childList: true, subtree: true, characterData: true })`

describe.skipIf(!hasBrowser)('the first frame of the page', () => {
  withBrowser()

  const looks = [
    { lang: 'he', width: 1360, title: 'לוח בקרה' },
    { lang: 'en', width: 1360, title: 'Dashboard' },
    { lang: 'en', width: 390, title: 'Dashboard' },
  ]
  test.each(sample(looks, 2))(
    'has the figures before the app is there, as the app has them: $lang, $width',
    async ({ lang, width, title }) => {
      const amy = await member('OWNER')
      const customer = await newCustomer(amy)
      for (let n = 0; n < 5; n += 1) await newDraft(amy, customer, { status: 'SENT' }) // beyond the first steps
      const seen = await firstVisit(amy, '/o/$org', { lang, width })
      const { page, release, timesAsked } = seen
      await page.locator(`${frame} .figure-text`).first().waitFor()
      expect(await page.locator(`${frame} h1`).textContent()).toBe(title)
      expect(await page.locator('#root .figure-text').count()).toBe(0)
      expect(await page.locator('html').getAttribute('dir')).toBe(lang === 'he' ? 'rtl' : 'ltr')
      const [figures, places] = [await figuresIn(page, frame), await placesIn(page, frame)]
      expect(figures[1]).toContain('545.00')
      release()
      await page.locator('#root .figure-text').first().waitFor()
      expect(await page.locator(frame).count()).toBe(0)
      expect(await figuresIn(page, '#root')).toEqual(figures)
      expect(await placesIn(page, '#root')).toEqual(places)
      await page.waitForLoadState('networkidle')
      expect([timesAsked('/api/auth/session'), timesAsked('/api/dashboard')]).toEqual([1, 2])
      await expectSound(seen)
    },
  )

  test('another visit begins with the organization of the last one, in the theme that was chosen', async () => {
    const amy = await member('OWNER')
    await amy.call('preferences_update', { theme: 'DARK' })
    const { page, trouble, timesAsked } = await firstVisit(amy, '/o/$org', { isHeld: false })
    await page.locator('#root .figure-text').first().waitFor()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/auth/session', async (route) => {
      await held
      await route.continue()
    })
    const before = timesAsked('/api/dashboard')
    await page.goto('/app', { waitUntil: 'commit' })
    await page.locator(`${frame} h1`).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await page.locator(`${frame} .figure-text`).count()).toBe(0)
    release()
    await page.locator('#root .figure-text').first().waitFor()
    expect(page.url()).toContain(`/o/${amy.organizationId}`)
    expect(timesAsked('/api/dashboard') - before).toBe(2)
    expect(trouble).toEqual([])
  })

  test('shows nothing of what a person may not see', async () => {
    const amy = await member('OWNER')
    const employee = await member('EMPLOYEE', { of: amy })
    const { page, release, trouble, timesAsked } = await firstVisit(employee, '/o/$org')
    await page.locator(`${frame} > *`).waitFor()
    await page.evaluate(rememberTitles)
    release()
    await page.getByRole('heading', { name: 'My payslips' }).waitFor()
    expect(await page.locator('.figure-text').count()).toBe(0)
    expect(await page.locator(frame).count()).toBe(0)
    expect(await page.evaluate('[...seenTitles]')).toEqual(['My payslips', 'My payslips · Kontor'])

    const before = timesAsked('/api/dashboard')
    await page.goto(`/o/${amy.organizationId}`)
    await page.waitForURL(/my-payslips$/)
    expect(timesAsked('/api/dashboard') - before, 'another visit does not ask for what is refused').toBe(0)
    const other = await member('OWNER')
    await page.goto(`/o/${other.organizationId}`)
    await page.waitForURL(`**/o/${amy.organizationId}/my-payslips`)
    expect(trouble).toEqual([])
  })

  test('leads to the sign-in page when the session has ended', async () => {
    const amy = await member('OWNER')
    const { page } = await firstVisit(amy, '/o/$org', { isHeld: false })
    await page.locator('#root .figure-text').first().waitFor()
    await endSession(amy)
    await page.reload()
    await page.waitForURL(/\/sign-in\?next=/)
  })
})

import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { barriers } from '../../src/test/barriers.ts'
import { theSite, type Visitor, visitor } from '../../src/test/browser.ts'
import { sample } from '../../src/test/prove.ts'
import type { Someone } from '../../src/test/world.ts'

export type Look = { lang?: 'en' | 'he'; theme?: 'light' | 'dark'; width?: number; height?: number }

/** Most tests look at the app in English, light and at a desk. These are the other looks: in `npm test` the opposite one. */
const hebrew = [
  { lang: 'he', theme: 'dark', width: 390 },
  { lang: 'he', theme: 'dark', width: 1360 },
  { lang: 'he', theme: 'light', width: 390 },
] as const
const others = [...hebrew, { lang: 'en', theme: 'dark', width: 390 }] as const
export const hebrewLooks = sample(hebrew, hebrew.length)
export const otherLooks = sample(others, others.length)

/**
 * Opens the web app as a person with a session, at a moment if one is given. `$org` in the path stands for their organization.
 * Nothing moves, as for people who ask for that; kit, first frame and the walk of a new person are tested with motion.
 */
export async function visit(someone: Someone, path: string, look: Look = {}, now?: Date): Promise<Visitor> {
  const { lang = 'en', theme = 'light', width = 1360, height = 900 } = look
  const phone = width < 500
  const opened = await visitor({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: lang === 'he' ? 'he-IL' : 'en-GB',
    hasTouch: phone,
    isMobile: phone,
  })
  const cookie = (someone.credentials as { cookie: string }).cookie
  const [name = '', value = ''] = cookie.split('=')
  await opened.context.addCookies([{ name, value, url: theSite().url }])
  await someone.call('preferences_update', { language: lang })
  await opened.page.addInitScript(`localStorage.setItem('lang', '${lang}')`)
  if (now) await opened.page.addInitScript(alwaysNow(now))
  await opened.page.goto(path.replace('$org', someone.organizationId ?? ''))
  return opened
}

/** Days and moments of the page are of one moment; its timers go on. */
export const alwaysNow = (now: Date) => `{
  const now = ${now.getTime()}
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given) {
      super(...(given.length > 0 ? given : [now]))
    }
    static now() {
      return now
    }
  }
}`

/**
 * Waits until the screen of this address is shown with all its parts. The title alone does not say so: it also changes when a
 * record is opened on the screen before. The network is never idle, because the page follows changes.
 */
export async function arrived(page: Page, path: string): Promise<void> {
  const shownPath = () => page.evaluate(pathOfShownScreen).catch(() => undefined) // a page that is being loaded
  await expect.poll(shownPath).toBe(path)
  await expect.poll(() => page.locator('.animate-none').count()).toBe(0)
  await page.locator('h1').first().waitFor()
}
/** The router keeps itself here. The path is that of the screen that is shown, not of one that is still being loaded. */
const pathOfShownScreen = `(() => {
  const state = globalThis.__TSR_ROUTER__?.state
  return state?.status === 'idle' && !document.getElementById('first-frame')?.hasChildNodes() ? state.resolvedLocation?.pathname : undefined
})()`

/** Fails if the page has shown an error, has a serious barrier, or can be scrolled sideways. */
export async function expectSound({ page, trouble }: Visitor): Promise<void> {
  expect(trouble).toEqual([])
  expect(await barriers(page)).toEqual([])
  expect(await sideways(page)).toBe(0)
}

/** How many pixels of the page are beyond its edge. */
export const sideways = (page: Page) =>
  page.evaluate('Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)')

/** What tests ask of the page itself; they are checked with the types of Node, which has no document. */
type InPage = {
  document: { activeElement: unknown }
  getComputedStyle(element: unknown): { textAlign: string }
}

/** Whether the field or button has the focus. */
export const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((each: unknown) => each === (globalThis as unknown as InPage).document.activeElement)

export const textAlignOf = (element: Locator): Promise<string> =>
  element.evaluate((each: unknown) => (globalThis as unknown as InPage).getComputedStyle(each).textAlign)

/** How wide a picture is that has been loaded, in its own pixels. */
export const naturalWidthOf = (picture: Locator): Promise<number> =>
  picture.evaluate((each: unknown) => (each as { naturalWidth: number }).naturalWidth)

/** Presses Tab until the field or button of this name has the focus. */
export async function tabTo(page: Page, name: string) {
  const nameOfFocused = () =>
    page.evaluate<string>(`{
      const at = document.activeElement
      const by = at?.getAttribute('aria-labelledby')?.split(' ').map((id) => document.getElementById(id)?.textContent)
      at?.getAttribute('aria-label') ?? by?.join(' ') ?? at?.textContent ?? ''
    }`)
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await nameOfFocused()).trim() === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No Tab leads to ${name}.`)
}

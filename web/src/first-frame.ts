import type { SignedIn } from '../../src/features/company/people/person.ts'
import { amountParts } from './amount.ts'
import type { Output } from './api.ts'
import type { Early } from './early.ts'
import { directionOf, firstLanguage, languageOfAddress } from './language.ts'
import { figureLook, figureWords } from './screens/dashboard/figure-look.ts'
import { applyTheme, lastTheme } from './shell/theme.ts'

// The script inside the page. While the app is being loaded it asks for what the app will ask first, and draws the frame of the
// page, with the title and the figures of the dashboard. Then it starts the app. What it draws goes when the app shows anything.

type Sums = Pick<Output<'dashboard_get'>, 'displayCurrency' | 'openBalance' | 'pendingAmount' | 'netOfTax'>

const script = document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')
const early: Early = { answers: new Map(), dashboards: [] }
window.early = early

/** Asks for what the app will ask for; what is read here is a copy. */
function ask<T>(url: string): Promise<T> {
  const answer = fetch(url)
  early.answers.set(url, answer)
  return answer.then((given) => (given.ok ? given.clone().json() : Promise.reject(given)))
}

function askForDashboard(organizationId: string, year: number): Promise<Sums> {
  early.dashboards.push({ organizationId, year })
  return ask(`/api/dashboard?organizationId=${organizationId}&year=${year}&explain=true`)
}

const isKnown = localStorage.getItem('lang') !== null // then scripts and fonts are here from the last visit
let language = firstLanguage()
applyTheme(lastTheme())
applyLanguage()

const [, inAddress] = /^\/o\/([\w-]+)\/?$/.exec(location.pathname) ?? []
const organizationId = location.pathname === '/app' ? localStorage.getItem('organization') : inAddress
const signedIn = ask<SignedIn>('/api/auth/session').then(prefer)
signedIn.catch(() => undefined) // the app will say it
const hasDashboard = organizationId && organizationId !== localStorage.getItem('noDashboard')
if (!hasDashboard && location.pathname.startsWith('/o/')) void draw(() => [])
const drawn = hasDashboard && drawDashboard(organizationId)
if (isKnown || !drawn) startApp()
else void Promise.race([drawn, longEnough()]).then(startApp)

async function drawDashboard(id: string) {
  const year = Number(new URLSearchParams(location.search).get('year')) || new Date().getFullYear()
  const sums = askForDashboard(id, year)
  for (const asked of [sums, askForDashboard(id, year - 1)]) asked.catch(() => undefined)
  amountFormat('USD', language).format(0) // the first one takes long, and there is time now
  const waiting = () => [title(), element('span', `block bg-tint ${figureLook.waiting}`)]
  void draw(isKnown ? waiting : () => [])
  const known = await signedIn.catch(() => undefined)
  const here = known?.organizations.find((each) => each.id === id)
  if (!here || here.role === 'EMPLOYEE') return // the app opens another page
  if (!isKnown) void draw(waiting)
  const given = await sums.catch(() => undefined)
  const tax = known?.countries.find(({ code }) => code === here.country)?.taxName[language] ?? ''
  if (given) await draw(() => [title(), figures(given, { country: here.country, tax })])
}

/** On a first visit the figures come before the app, whose script keeps a slow processor busy, but the app does not wait long. */
function longEnough(): Promise<void> {
  return new Promise((resolve) => {
    const soon = () => setTimeout(resolve, 300)
    for (const event of ['load', 'error']) script?.addEventListener(event, soon)
  })
}

function startApp() {
  if (document.readyState === 'loading') return document.addEventListener('readystatechange', startApp, { once: true })
  const app = document.createElement('script')
  app.type = 'module'
  app.src = script?.href ?? ''
  document.head.append(app)
}

/** What the person has chosen, where it is not what was shown here last. */
function prefer(signed: SignedIn): SignedIn {
  const { language: own, theme } = signed.user.preferences
  language = languageOfAddress() ?? own
  applyTheme(theme)
  applyLanguage()
  return signed
}
function applyLanguage() {
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

/** Draws in the next frame, in which the style is there, unless the app has shown something by then. Resolves when it is seen. */
function draw(content: () => Element[]): Promise<void> {
  return new Promise((resolve) => {
    const attempt = () => {
      const [at, root] = [document.getElementById('first-frame'), document.getElementById('root')]
      if (!at && document.readyState === 'loading') return requestAnimationFrame(attempt)
      if (at && root) drawUntilShown(at, root, content())
      return setTimeout(resolve)
    }
    requestAnimationFrame(attempt)
  })
}

function drawUntilShown(at: Element, root: Element, content: Element[]) {
  if (isShown(root)) return at.remove()
  at.replaceChildren(frame(content))
  new MutationObserver((_, watching) => {
    if (!isShown(root)) return
    watching.disconnect()
    at.remove()
  }).observe(root, { childList: true })
}

/** The place for short messages is there from the start. */
const isShown = (root: Element) => root.querySelector(':scope > :not([data-toasts])') !== null

const frame = (content: Element[]) =>
  element(
    'div',
    `${isKnown ? '' : 'plain-fonts '}grid grid-rows-[minmax(0,1fr)] md:grid-cols-[14.5rem_minmax(0,1fr)] h-dvh overflow-clip`,
    element('div', 'max-md:hidden bg-tint border-e border-rule'),
    element(
      'div',
      `min-w-0 overflow-hidden ${figureLook.room}`,
      element('div', 'md:hidden h-13 border-b border-rule'),
      element('div', figureLook.page, ...content),
    ),
  )

const title = () =>
  element(
    'div',
    `${figureLook.header} h-8.5 pointer-coarse:h-11.5`,
    element('h1', figureLook.title, figureWords[language].title),
  )

function figures(sums: Sums, { country, tax }: { country: string; tax: string }) {
  const say = figureWords[language]
  const format = amountFormat(sums.displayCurrency, `${language}-${country}`)
  const figure = (name: string, amount: number | undefined) =>
    element(
      'li',
      figureLook.figure,
      element(
        'span',
        figureLook.inside,
        element('span', figureLook.name, name),
        element('span', figureLook.amount, amount === undefined ? '\u00a0' : shownAmount(format, amount)),
        element('span', figureLook.below, '\u00a0'),
      ),
    )
  return element(
    'ul',
    figureLook.figures,
    figure(say.revenue(tax), sums.netOfTax?.revenue),
    figure(say.open, sums.openBalance),
    figure(say.pending, sums.pendingAmount),
    figure(say.margin(tax), sums.netOfTax?.net),
  )
}

function amountFormat(currency: string, locale: string) {
  return new Intl.NumberFormat(locale, { style: 'currency', currency })
}

const shownAmount = (format: Intl.NumberFormat, amount: number) =>
  element(
    'bdi',
    'tabular-nums whitespace-nowrap',
    ...amountParts(format, amount).map(({ text, isLight }) => (isLight ? element('span', 'cents', text) : text)),
  )

function element(tag: string, className: string, ...children: (Element | string)[]): Element {
  const made = document.createElement(tag)
  made.className = className
  made.append(...children)
  return made
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { proves } from './prove.ts'

/** The accessibility problems of a page, as far as a program can find them. */
export const barriers = async (page: Page): Promise<string[]> => [
  ...(await otherBarriers(page)),
  ...(await faintText(page)),
]

async function otherBarriers(page: Page): Promise<string[]> {
  await bringAxe(page)
  return page.evaluate<string[]>(
    `(${untilNothingMoves})().then(() => axe.run(document, (${withoutContrast})())).then(${seriousOf})`,
  )
}

/**
 * Text with too little contrast. Contrast takes longer than all other rules together, and most text of a page is painted as that
 * of the page before: what axe has passed is not checked again where everything that its contrast comes from is the same.
 * `npm run prove` checks all text of every page.
 */
export async function faintText(page: Page): Promise<string[]> {
  await bringAxe(page)
  const { problems, passed } = await page.evaluate<Look>(
    `(${lookAtContrast})(${JSON.stringify(proves ? [] : [...passedPaint])})`,
  )
  for (const each of passed) passedPaint.add(each)
  return problems
}
type Look = { problems: string[]; passed: string[] }

/** The paint of text that has enough contrast, for all pages of this process. */
const passedPaint = new Set<string>()

const require = createRequire(import.meta.url)
/** The short form, of which a page compiles half as much. */
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

async function bringAxe(page: Page) {
  for (const frame of page.frames())
    if (!(await frame.evaluate('globalThis.axe !== undefined'))) await frame.evaluate(axe)
}

/** Of the milder rules those on headings and the names of regions, by which people who cannot see find their way. */
const isSerious = `(({ id, impact }) => ['serious', 'critical'].includes(impact) || ['heading-order', 'landmark-unique'].includes(id))`
const seriousOf = `(({ violations }) =>
  violations.filter(${isSerious}).map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.replace(' data-axe=""', '')).join(' ')))`

/** Rules that find nothing serious are not run; what passes is not described. */
const withoutContrast = `() => {
  const checksOf = ({ any, all, none }) => [...any, ...all, ...none].map((each) => axe._audit.checks[each.id ?? each])
  const isWanted = (rule) => rule.id !== 'color-contrast' && [rule, ...checksOf(rule)].some(${isSerious})
  const unwanted = axe._audit.rules.filter((rule) => !isWanted(rule))
  return { resultTypes: ['violations'], rules: Object.fromEntries(unwanted.map(({ id }) => [id, { enabled: false }])) }
}`

/** A dialog that is still fading in is not yet painted as people read it. What moves for ever is not waited for. */
const untilNothingMoves = `async () => {
  const ends = ({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime !== Infinity
  for (;;) {
    await new Promise(requestAnimationFrame)
    const moving = document.getAnimations().filter(ends)
    if (moving.length === 0) return
    await Promise.allSettled(moving.map(({ finished }) => finished))
  }
}`

/**
 * Paint is the colour and letters of a text with everything that shines through below it. What is positioned may lie over
 * anything, unless it has a ground of its own.
 */
const lookAtContrast = `async (known) => {
  await (${untilNothingMoves})()
  const paints = new Map()
  const paintOf = (element) => {
    if (!element) return { ground: '', floats: false }
    const found = paints.get(element)
    if (found) return found
    const above = paintOf(element.parentElement ?? element.getRootNode().host)
    const style = getComputedStyle(element)
    const adds = [
      style.backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : style.backgroundColor,
      style.backgroundImage === 'none' ? '' : style.backgroundImage,
      style.opacity === '1' ? '' : style.opacity,
      style.mixBlendMode === 'normal' ? '' : style.mixBlendMode,
      style.filter === 'none' ? '' : style.filter,
    ]
    const ground = adds.some(Boolean) ? hashOf(above.ground + adds.join()) : above.ground
    const isPositioned = /absolute|fixed|sticky/.test(style.position) || style.transform !== 'none' || style.float !== 'none'
    const isOpaque = style.backgroundColor.startsWith('rgb(')
    const letters = [style.color, style.textShadow, style.fontSize, style.fontWeight, style.fontFamily]
    const paint = { ground, key: hashOf(ground + letters.join()), floats: !isOpaque && (above.floats || isPositioned) }
    paints.set(element, paint)
    return paint
  }
  const hashOf = (text) => {
    let [one, other] = [0xdeadbeef, 0x41c6ce57]
    for (let at = 0; at < text.length; at++) {
      one = Math.imul(one ^ text.charCodeAt(at), 2654435761)
      other = Math.imul(other ^ text.charCodeAt(at), 1597334677)
    }
    return (one >>> 0).toString(36) + (other >>> 0).toString(36)
  }
  const hasText = (element) =>
    element.matches('input, select, textarea') || [...element.childNodes].some((each) => each.nodeType === 3 && each.data.trim())
  const before = new Set(known)
  const isNew = (element) => paintOf(element).floats || !before.has(paintOf(element).key)
  const fresh = [...document.body.querySelectorAll('*')].filter((element) => hasText(element) && isNew(element))
  if (fresh.length === 0) return { problems: [], passed: [] }
  for (const element of fresh) element.setAttribute('data-axe', '')
  axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-axe]' }] })
  const options = { runOnly: ['color-contrast'], resultTypes: ['violations', 'passes'], elementRef: true, selectors: false }
  const answer = await axe.run(document, options)
  for (const element of fresh) element.removeAttribute('data-axe')
  const sound = answer.passes.flatMap(({ nodes }) => nodes.map(({ element }) => paintOf(element)))
  const passed = sound.filter(({ floats }) => !floats).map(({ key }) => key)
  return { problems: (${seriousOf})(answer), passed: [...new Set(passed)] }
}`

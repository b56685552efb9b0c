import { beforeEach, describe, expect, test } from 'vitest'
import { barriers, faintText } from './barriers.ts'
import { hasBrowser, visitor, withBrowser } from './browser.ts'
import { proves } from './prove.ts'

/** What the tests of pages find, and that text which was passed once is found when it is painted in another way. */

describe.skipIf(!hasBrowser)('barriers of a page', () => {
  withBrowser()
  let show: (main: string) => Promise<void>
  let found: () => Promise<string[]>
  let faint: () => Promise<string[]>
  let checked: () => Promise<number>

  beforeEach(async () => {
    const { page } = await visitor()
    const style = 'body { background: #fefdfa; color: #1b1a17 }'
    show = (main) =>
      page.setContent(
        `<!doctype html><html lang="en"><title>Page</title><style>${style}</style><main><h1>Page</h1>${main}</main>`,
      )
    found = async () => (await barriers(page)).map((each) => each.replace(/:.*/s, ''))
    faint = () => faintText(page)
    // How often axe ran on text: it is asked for nothing if all text is known.
    checked = async () => {
      await page.evaluate(
        `(() => { const run = axe.run; globalThis.runs = 0; axe.run = (...given) => (runs++, run(...given)) })()`,
      )
      expect(await faintText(page)).toEqual([])
      return page.evaluate<number>('runs')
    }
  })

  test('are found: faint text, a button without a name, a picture without a text, an unknown attribute', async () => {
    await show('<p>Enough</p>')
    expect(await found()).toEqual([])
    await show('<p style="color: #ddd">faint</p><button></button><img src="data:,"><a href="#" aria-foo="1">go</a>')
    expect((await found()).sort()).toEqual(['aria-valid-attr', 'button-name', 'color-contrast', 'image-alt'])
  })

  test('text that fades in is checked when it is there', async () => {
    await show('<style>@keyframes appear { from { opacity: 0 } }</style><p style="animation: appear 1s">Text</p>')
    expect(await found()).toEqual([])
  })

  test('text that was passed is not checked again on another page; a proof checks it', async () => {
    await show('<p>One</p><p>Two</p>')
    expect(await faint()).toEqual([])
    await show('<section><p>Another text</p></section>')
    expect(await faint()).toEqual([])
    expect(await checked()).toBe(proves ? 1 : 0)
  })

  test.each([
    ['its own colour', '<p style="color: #d9d9d9">Text</p>'],
    ['the ground of its parent', '<div style="background: #25241f"><p>Text</p></div>'],
    ['how much shines through its parent', '<div style="opacity: 0.3"><p>Text</p></div>'],
    [
      'a ground that is positioned',
      '<div style="position: absolute; width: 300px; height: 90px; background: #21201b"><p style="position: absolute">Text</p></div>',
    ],
  ])('the same text is found when %s makes it faint', async (_, painted) => {
    await show('<div><p>Text</p></div>')
    expect(await faint()).toEqual([])
    await show(painted)
    expect((await faint()).join()).toContain('color-contrast')
  })

  test('text that is not checked, as that of something disabled, is not taken for passed', async () => {
    await show('<button disabled style="color: #dcdcdc; background: #fff">Off</button>')
    expect(await faint()).toEqual([])
    await show('<button style="color: #dcdcdc; background: #fff">On</button>')
    expect((await faint()).join()).toContain('color-contrast')
  })
})
